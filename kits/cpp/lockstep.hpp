// The protocol (docs/protocol.md): the briefing is a line of JSON, then binary frames of doubles. Nothing here needs to be changed.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/** A value of JSON, as the briefing is. What is not there is 0, "" or empty. */
struct Json {
  double number = 0;  // true is 1
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> fields;

  const Json& operator[](const std::string& name) const {
    static const Json nothing;
    auto found = fields.find(name);
    return found == fields.end() ? nothing : found->second;
  }
};

class JsonReader {
  const char* at;
  void skip() { while (*at == ' ' || *at == ',' || *at == ':' || *at == '\n') at++; }
  std::string string() {
    std::string result;
    for (at++; *at && *at != '"'; at++) {
      if (*at == '\\') at++;
      result += *at == 'n' && at[-1] == '\\' ? '\n' : *at;
    }
    if (*at) at++;
    return result;
  }

 public:
  explicit JsonReader(const std::string& line) : at(line.c_str()) {}
  Json read() {
    Json value;
    skip();
    if (*at == '{') {
      for (at++, skip(); *at && *at != '}'; skip()) {
        std::string name = string();
        value.fields[name] = read();
      }
      at++;
    } else if (*at == '[') {
      for (at++, skip(); *at && *at != ']'; skip()) value.items.push_back(read());
      at++;
    } else if (*at == '"') {
      value.text = string();
    } else if (*at == 't' || *at == 'f' || *at == 'n') {
      value.number = *at == 't';
      while (*at >= 'a' && *at <= 'z') at++;
    } else {
      char* end;
      value.number = std::strtod(at, &end);
      at = end == at ? at + 1 : end;
    }
    return value;
  }
};

/** A view as it comes: its values one after another, in the order of its fields. */
class Frame {
  std::vector<double> row;
  size_t at = 0;

 public:
  /** False when the game is over. */
  bool receive() {
    uint32_t length = 0;
    if (std::fread(&length, 4, 1, stdin) != 1 || length == 0) return false;
    row.resize(length / 8);
    at = 0;
    return std::fread(row.data(), 1, length, stdin) == length;
  }
  double next() { return at < row.size() ? row[at++] : 0; }
  /** A text is its length and its characters. */
  std::string text() {
    std::string result;
    for (int left = (int)next(); left > 0; left--) result += (char)next();
    return result;
  }
};

inline Json readBriefing() {
  std::string line;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) line += (char)c;
  return JsonReader(line).read();
}

/** The answers will be frames that fill the fields of this example, a JSON text. */
inline void sayReady(const std::string& example) {
  std::printf("{\"type\":\"ready\",\"frames\":\"binary\",\"action\":%s}\n", example.c_str());
  std::fflush(stdout);
}

inline void send(const std::vector<double>& answer) {
  uint32_t length = (uint32_t)(answer.size() * 8);
  std::fwrite(&length, 4, 1, stdout);
  std::fwrite(answer.data(), 8, answer.size(), stdout);
  std::fflush(stdout);
}

}  // namespace lockstep
