"""The protocol (docs/protocol.md): lines of JSON on stdin and stdout. Nothing here needs to be changed."""
import json
import sys


def play(create_bot):
    """Plays one game: create_bot(briefing, seat) gives an object whose act(view) gives the action."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # stdout belongs to the protocol; what is printed is shown when something goes wrong
    bot = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "briefing":
            bot = create_bot(message["briefing"], message["seat"])
            answer = {"type": "ready"}
        elif message["type"] == "view":
            answer = {"type": "action", "tick": message["tick"], "action": bot.act(message["view"])}
        else:
            return
        answers.write(json.dumps(answer, separators=(",", ":")) + "\n")
        answers.flush()
