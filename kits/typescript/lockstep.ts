// The protocol (docs/protocol.md): lines of JSON on stdin and stdout. Nothing here needs to be changed.
interface Stream {
  setEncoding(name: string): void;
  on(event: 'data', take: (text: string) => void): void;
  write(text: string): void;
}
declare const process: { readonly stdin: Stream; readonly stdout: Stream };

export interface Bot<View, Action> {
  act(view: View): Action;
}

/** Plays one game. console.error is for you: what is printed there is shown when something goes wrong. */
export function play<View, Action>(createBot: (briefing: never, seat: number) => Bot<View, Action>): void {
  const say = (message: object): void => process.stdout.write(`${JSON.stringify(message)}\n`);
  let bot: Bot<View, Action> | null = null;
  let text = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (more) => {
    const lines = (text + more).split('\n');
    text = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.type === 'briefing') {
        bot = createBot(message.briefing as never, message.seat);
        say({ type: 'ready' });
      } else if (message.type === 'view') {
        say({ type: 'action', tick: message.tick, action: bot!.act(message.view) });
      }
    }
  });
}
