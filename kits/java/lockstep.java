// The protocol (docs/protocol.md): the briefing is a line of JSON, then binary frames of doubles. Nothing here needs to be changed.
import java.io.*;
import java.nio.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

final class Lockstep {
  private static final DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
  private static final OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));

  static {
    System.setOut(System.err); // stdout belongs to the protocol; what is printed is shown when something goes wrong
  }

  private Lockstep() {}

  /** The first message: maps, lists, doubles, texts. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> readBriefing() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) line.write(c);
    return (Map<String, Object>) new Json(line.toString(StandardCharsets.UTF_8)).read();
  }

  /** The answers will be frames that fill the fields of this example, a JSON text. */
  static void sayReady(String example) throws IOException {
    out.write(("{\"type\":\"ready\",\"frames\":\"binary\",\"action\":" + example + "}\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** A view: its values one after another, in the order of its fields; null when the game is over. */
  static Frame receive() throws IOException {
    try {
      byte[] bytes = new byte[Integer.reverseBytes(in.readInt())];
      in.readFully(bytes);
      return bytes.length == 0 ? null : new Frame(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    } catch (EOFException end) {
      return null;
    }
  }

  static void send(double... answer) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 + 8 * answer.length).order(ByteOrder.LITTLE_ENDIAN).putInt(8 * answer.length);
    for (double value : answer) bytes.putDouble(value);
    out.write(bytes.array());
    out.flush();
  }
}

final class Frame {
  private final ByteBuffer row;

  Frame(ByteBuffer row) {
    this.row = row;
  }

  double next() {
    return row.getDouble();
  }

  void skip(int count) {
    for (int i = 0; i < count; i++) row.getDouble();
  }

  /** A text is its length and its characters. */
  String text() {
    StringBuilder result = new StringBuilder();
    for (int left = (int) next(); left > 0; left--) result.append((char) next());
    return result.toString();
  }
}

final class Json {
  private final String text;
  private int at = 0;

  Json(String text) {
    this.text = text;
  }

  private char skip() {
    while (at < text.length() && " ,:\n".indexOf(text.charAt(at)) >= 0) at++;
    return at < text.length() ? text.charAt(at) : '\0';
  }

  Object read() {
    switch (skip()) {
      case '{': {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (at++; skip() != '}' && at < text.length(); ) fields.put(string(), read());
        at++;
        return fields;
      }
      case '[': {
        List<Object> items = new ArrayList<>();
        for (at++; skip() != ']' && at < text.length(); ) items.add(read());
        at++;
        return items;
      }
      case '"':
        return string();
      default: {
        int start = at;
        while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(start, at);
        if (word.equals("true") || word.equals("false")) return word.equals("true");
        return word.equals("null") ? null : (Object) Double.parseDouble(word);
      }
    }
  }

  private String string() {
    StringBuilder result = new StringBuilder();
    for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
      if (text.charAt(at) == '\\') at++;
      result.append(text.charAt(at));
    }
    at++;
    return result.toString();
  }
}
