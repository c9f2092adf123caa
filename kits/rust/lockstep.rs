//! The protocol (docs/protocol.md): the briefing is a line of JSON, then binary frames of doubles. Nothing here needs to be changed.
use std::collections::HashMap;
use std::io::{stdin, stdout, BufRead, Read, Write};

/// A value of JSON, as the briefing is. What is not there is 0, "" or empty.
#[derive(Clone, Default)]
pub struct Json {
    pub number: f64, // true is 1
    pub text: String,
    pub items: Vec<Json>,
    pub fields: HashMap<String, Json>,
}

impl Json {
    pub fn get(&self, name: &str) -> Json {
        self.fields.get(name).cloned().unwrap_or_default()
    }
}

/// A view as it comes: its values one after another, in the order of its fields.
pub struct Frame {
    row: Vec<f64>,
    at: usize,
}

#[allow(dead_code)] // one world needs this, another that
impl Frame {
    pub fn next(&mut self) -> f64 {
        self.at += 1;
        self.row.get(self.at - 1).copied().unwrap_or(0.0)
    }

    pub fn skip(&mut self, count: usize) {
        self.at += count;
    }

    /// A list and a text begin with their length.
    pub fn length(&mut self) -> usize {
        self.next() as usize
    }

    pub fn text(&mut self) -> String {
        (0..self.length()).map(|_| char::from_u32(self.next() as u32).unwrap_or('?')).collect()
    }
}

pub fn read_briefing() -> Json {
    let mut line = String::new();
    stdin().lock().read_line(&mut line).expect("a briefing");
    JsonReader { text: line.chars().collect(), at: 0 }.read()
}

/// The answers will be frames that fill the fields of this example, a JSON text.
pub fn say_ready(example: &str) {
    println!("{{\"type\":\"ready\",\"frames\":\"binary\",\"action\":{example}}}");
}

/// None when the game is over.
pub fn receive() -> Option<Frame> {
    let mut input = stdin().lock();
    let mut length = [0u8; 4];
    input.read_exact(&mut length).ok()?;
    let mut bytes = vec![0u8; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut bytes).ok()?;
    if bytes.is_empty() {
        return None;
    }
    let row = bytes.chunks_exact(8).map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect();
    Some(Frame { row, at: 1 }) // the first is the tick
}

pub fn send(answer: &[f64]) {
    let mut bytes = (8 * answer.len() as u32).to_le_bytes().to_vec();
    for value in answer {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    let mut output = stdout().lock();
    output.write_all(&bytes).and_then(|()| output.flush()).ok();
}

struct JsonReader {
    text: Vec<char>,
    at: usize,
}

impl JsonReader {
    fn skip(&mut self) -> char {
        while self.at < self.text.len() && " ,:\n".contains(self.text[self.at]) {
            self.at += 1;
        }
        self.text.get(self.at).copied().unwrap_or('\0')
    }

    fn string(&mut self) -> String {
        let mut result = String::new();
        self.at += 1;
        while self.at < self.text.len() && self.text[self.at] != '"' {
            if self.text[self.at] == '\\' {
                self.at += 1;
            }
            result.push(self.text[self.at]);
            self.at += 1;
        }
        self.at += 1;
        result
    }

    fn read(&mut self) -> Json {
        let mut value = Json::default();
        match self.skip() {
            '{' => {
                self.at += 1;
                while !['}', '\0'].contains(&self.skip()) {
                    let name = self.string();
                    value.fields.insert(name, self.read());
                }
                self.at += 1;
            }
            '[' => {
                self.at += 1;
                while ![']', '\0'].contains(&self.skip()) {
                    value.items.push(self.read());
                }
                self.at += 1;
            }
            '"' => value.text = self.string(),
            _ => {
                let start = self.at;
                while self.at < self.text.len() && !",]} \n".contains(self.text[self.at]) {
                    self.at += 1;
                }
                let word: String = self.text[start..self.at].iter().collect();
                value.number = if word == "true" { 1.0 } else { word.parse().unwrap_or(0.0) };
            }
        }
        value
    }
}
