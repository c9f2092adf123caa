// What lockstep calls and what it gives (docs/wasm.md): texts of JSON and rows of doubles. Nothing here needs to be changed.
import { Bot } from './bot';
import { Json, JsonReader, Row } from './data';

let place: StaticArray<f64> = new StaticArray<f64>(1024);
let answer: StaticArray<f64> = new StaticArray<f64>(1024);
let message: Json = new Json();
let bot: Bot | null = null;

/** Where lockstep may put so many doubles. */
export function room(count: i32): usize {
  if (count > place.length) place = new StaticArray<f64>(count);
  return changetype<usize>(place);
}

/** The first message as text. */
export function brief(at: usize, length: usize): void {
  message = new JsonReader(String.UTF8.decodeUnsafe(at, length)).read();
}

export function init(seat: i32, _at: usize, _count: i32): void {
  bot = new Bot(message.get('briefing'), seat);
}

export function act(at: usize, _count: i32): usize {
  const row = new Row(at);
  row.next(); // the tick
  const action = bot!.act(row);
  if (action.length > answer.length) answer = new StaticArray<f64>(action.length);
  for (let i = 0; i < action.length; i++) answer[i] = action[i];
  return changetype<usize>(answer);
}
