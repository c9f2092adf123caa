import { calm, editor, grabbed, player, repaint, stage, tape } from './shell.ts';
import type { ScreenPosition } from './stage/stage.ts';

/** No single frame passes more time than this: after a pause of the tab the match goes on where it was. */
const LONGEST_FRAME = 0.25;

/** Draws when something changed: the clock while it plays, or by hand for tests. */
export class Loop {
  private manual = false;
  private last = 0;
  private drawnAs = '';
  private cameraMoves = true;

  run(): void {
    const tick = (now: number) => {
      if (this.manual) return;
      const seconds = Math.min((now - this.last) / 1000, LONGEST_FRAME);
      this.last = now;
      void tape.value.pass(grabbed.value ? 0 : seconds);
      this.draw(seconds);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame((now) => {
      this.last = now;
      tick(now);
    });
  }

  async byHand(ms: number): Promise<void> {
    this.manual = true;
    const seconds = grabbed.value ? 0 : ms / 1000;
    if (editor.value === null) await player.passExactly(seconds);
    else await tape.value.pass(seconds);
    this.drawnAs = '';
    this.draw(ms / 1000);
  }

  screenPosition(key: string): ScreenPosition | null {
    return editor.value?.screenPosition?.(key) ?? stage.value?.screenPosition(key) ?? null;
  }

  private draw(seconds: number): void {
    const sight = editor.value === null ? player.sight() : (editor.value.sight?.() ?? null);
    const shown = stage.value;
    if (sight === null || shown === null) return;
    const as = `${sight.from.tick} ${sight.share} ${repaint.value} ${player.info.value?.setup.seed} ${editor.value?.title}`;
    if (as === this.drawnAs && !this.cameraMoves) return;
    this.drawnAs = as;
    shown.rig.still = calm.value;
    this.cameraMoves = shown.draw(sight, seconds);
  }
}
