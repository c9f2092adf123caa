import type { WorldEvent } from '@lockstep/kernel';
import type { Layout } from '@lockstep/pinball';
import { signal } from '@preact/signals';
import { remember, remembered } from '../memory.ts';

type Voice = 'bumper' | 'sling' | 'target' | 'roll' | 'spinner' | 'hole' | 'drain' | 'flipper' | 'launch' | 'wall' | 'fanfare' | 'tilt';

/** At most so many voices begin in a frame. */
const MOST_VOICES = 6;

/** All sounds are made here, out of oscillators and noise. Silent until a person has touched the page, as browsers want it. */
export class Sound {
  readonly on = signal(remembered('arcade.sound', ['on', 'off']) !== 'off');
  private context: AudioContext | null = null;
  private out: GainNode | null = null;
  private noise: AudioBuffer | null = null;
  private begun = 0;

  /** Called by a gesture. */
  wake(): void {
    if (!this.on.peek() || typeof AudioContext !== 'function') return;
    if (this.context === null) {
      this.context = new AudioContext();
      this.out = this.context.createGain();
      this.out.gain.value = 0.35;
      const press = this.context.createDynamicsCompressor();
      this.out.connect(press).connect(this.context.destination);
      this.noise = this.context.createBuffer(1, this.context.sampleRate / 4, this.context.sampleRate);
      const samples = this.noise.getChannelData(0);
      for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    }
    if (this.context.state === 'suspended') void this.context.resume();
  }

  toggle(): void {
    this.on.value = !this.on.value;
    remember('arcade.sound', this.on.value ? 'on' : 'off');
    if (this.on.value) this.wake();
    else void this.context?.suspend();
  }

  newFrame(): void {
    this.begun = 0;
  }

  /** What a tick told, as it sounds. */
  hear(events: readonly WorldEvent[], layout: Layout): void {
    for (const event of events) {
      const voice = voiceOf(event, layout);
      if (voice !== null) this.play(voice);
    }
  }

  play(voice: Voice, strength = 1): void {
    if (!this.on.peek() || this.context === null || this.context.state !== 'running' || this.begun >= MOST_VOICES) return;
    this.begun++;
    switch (voice) {
      case 'bumper':
        this.tone('triangle', 180, 70, 0.16, 0.9);
        this.hiss(2400, 0.05, 0.35);
        break;
      case 'sling':
        this.tone('square', 320, 150, 0.07, 0.3);
        this.hiss(3200, 0.04, 0.3);
        break;
      case 'target':
        this.tone('square', 520, 500, 0.06, 0.22);
        this.tone('sine', 1040, 1020, 0.18, 0.3);
        break;
      case 'roll':
        this.tone('sine', 880, 1320, 0.12, 0.3);
        break;
      case 'spinner':
        this.tone('square', 1500, 1300, 0.025, 0.12);
        break;
      case 'hole':
        this.tone('sine', 300, 90, 0.4, 0.6);
        break;
      case 'drain':
        this.tone('sawtooth', 220, 55, 0.7, 0.35);
        break;
      case 'flipper':
        this.tone('sine', 120, 60, 0.06, 0.7);
        this.hiss(900, 0.03, 0.4);
        break;
      case 'launch':
        this.tone('sawtooth', 90, 420, 0.25, 0.25);
        this.hiss(1200, 0.15, 0.25);
        break;
      case 'wall':
        this.hiss(1800, 0.02, 0.25 * strength);
        break;
      case 'fanfare':
        [523, 659, 784, 1046].forEach((pitch, i) => this.tone('square', pitch, pitch, 0.16, 0.2, i * 0.09));
        break;
      case 'tilt':
        this.tone('sawtooth', 110, 80, 0.5, 0.5);
        break;
    }
  }

  private tone(type: OscillatorType, from: number, to: number, seconds: number, loud: number, delay = 0): void {
    const context = this.context!;
    const start = context.currentTime + delay;
    const source = context.createOscillator();
    const gain = context.createGain();
    source.type = type;
    source.frequency.setValueAtTime(from, start);
    source.frequency.exponentialRampToValueAtTime(to, start + seconds);
    gain.gain.setValueAtTime(loud, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    source.connect(gain).connect(this.out!);
    source.start(start);
    source.stop(start + seconds);
  }

  private hiss(pitch: number, seconds: number, loud: number): void {
    const context = this.context!;
    const source = context.createBufferSource();
    const filter = context.createBiquadFilter();
    const gain = context.createGain();
    source.buffer = this.noise;
    filter.type = 'bandpass';
    filter.frequency.value = pitch;
    gain.gain.setValueAtTime(loud, context.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds);
    source.connect(filter).connect(gain).connect(this.out!);
    source.start();
    source.stop(context.currentTime + seconds);
  }

  close(): void {
    void this.context?.close();
  }
}

function voiceOf(event: WorldEvent, layout: Layout): Voice | null {
  const has = (list: readonly { readonly name: string }[]) => list.some(({ name }) => name === event['name']);
  switch (event.kind) {
    case 'switch':
      if (has(layout.bumpers)) return 'bumper';
      if (has(layout.slingshots)) return 'sling';
      if (has(layout.targets)) return 'target';
      if (has(layout.spinners)) return 'spinner';
      if (has(layout.saucers)) return 'hole';
      return 'roll';
    case 'drain':
      return 'drain';
    case 'kick':
      return 'launch';
    case 'mission done':
    case 'multiball':
    case 'extra ball':
    case 'jackpot':
    case 'combo':
      return 'fanfare';
    case 'tilt':
    case 'tilt warning':
      return 'tilt';
    default:
      return null;
  }
}
