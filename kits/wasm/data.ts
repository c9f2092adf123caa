// What a bot is given: JSON and rows of doubles. Nothing here needs to be changed.

/** A value of JSON, as the briefing is. What is not there is 0, "" or empty. */
export class Json {
  number: f64 = 0; // true is 1
  text: string = '';
  items: Json[] = [];
  fields: Map<string, Json> = new Map();

  get(name: string): Json {
    return this.fields.has(name) ? this.fields.get(name) : new Json();
  }
}

/** A view as it comes: its values one after another, in the order of its fields. */
export class Row {
  constructor(private at: usize) {}

  next(): f64 {
    const value = load<f64>(this.at);
    this.at += 8;
    return value;
  }

  skip(count: i32): void {
    this.at += 8 * count;
  }

  /** A list and a text begin with their length. */
  length(): i32 {
    return <i32>this.next();
  }

  text(): string {
    let result = '';
    for (let left = this.length(); left > 0; left--) result += String.fromCharCode(<i32>this.next());
    return result;
  }
}

// @ts-ignore: a decorator of AssemblyScript
@external('lockstep', 'log')
declare function sayBytes(at: usize, length: usize): void;

/** What is said here is shown when something goes wrong. */
export function log(line: string): void {
  const bytes = String.UTF8.encode(line);
  sayBytes(changetype<usize>(bytes), bytes.byteLength);
}

export class JsonReader {
  private at: i32 = 0;

  constructor(private text: string) {}

  private skip(): i32 {
    while (' ,:\n'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at++;
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : 0;
  }

  private string(): string {
    let result = '';
    for (this.at++; this.at < this.text.length && this.text.charAt(this.at) != '"'; this.at++) {
      if (this.text.charAt(this.at) == '\\') this.at++;
      result += this.text.charAt(this.at);
    }
    this.at++;
    return result;
  }

  read(): Json {
    const value = new Json();
    const first = this.skip();
    if (first == 0x7b) {
      for (this.at++; this.skip() != 0x7d && this.at < this.text.length; ) {
        const name = this.string();
        value.fields.set(name, this.read());
      }
      this.at++;
    } else if (first == 0x5b) {
      for (this.at++; this.skip() != 0x5d && this.at < this.text.length; ) value.items.push(this.read());
      this.at++;
    } else if (first == 0x22) {
      value.text = this.string();
    } else {
      const start = this.at;
      while (this.at < this.text.length && !',]} \n'.includes(this.text.charAt(this.at))) this.at++;
      const word = this.text.substring(start, this.at);
      if (word == 'true') value.number = 1;
      else if (word != 'false' && word != 'null') value.number = F64.parseFloat(word);
    }
    return value;
  }
}
