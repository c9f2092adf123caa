/** What of the engine's WebAssembly is used; both Node and browsers have it. */
export interface CompiledModule {
  readonly compiled: never;
}
interface Memory {
  readonly buffer: ArrayBuffer;
}
interface Global {
  value: bigint | number;
}
export type Exported = Memory & Global & ((...args: number[]) => number | undefined);
interface Engine {
  validate(bytes: Uint8Array): boolean;
  compile(bytes: Uint8Array): Promise<CompiledModule>;
  instantiate(
    module: CompiledModule,
    imports: Readonly<Record<string, Readonly<Record<string, (...args: number[]) => void>>>>,
  ): Promise<{ readonly exports: Readonly<Record<string, Exported>> }>;
}

export const engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;
