// The protocol (docs/protocol.md): lines of JSON on stdin and stdout. Nothing here needs to be changed.
import { createInterface } from 'node:readline';

console.log = console.error; // stdout belongs to the protocol; what is printed is shown when something goes wrong

/** Plays one game: createBot(briefing, seat) gives { act(view) }, which gives the action. */
export function play(createBot) {
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  let bot = null;
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.type === 'briefing') {
      bot = createBot(message.briefing, message.seat);
      say({ type: 'ready' });
    } else if (message.type === 'view') {
      say({ type: 'action', tick: message.tick, action: bot.act(message.view) });
    }
  });
}
