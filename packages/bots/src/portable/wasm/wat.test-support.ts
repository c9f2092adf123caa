import initWabt from 'wabt';

const wabt = await initWabt();

/** A module from its text, with everything that WebAssembly has. */
export function wat(text: string): Uint8Array {
  const parsed = wabt.parseWat('test.wat', text, {
    exceptions: true,
    mutable_globals: true,
    sat_float_to_int: true,
    sign_extension: true,
    simd: true,
    threads: true,
    multi_value: true,
    tail_call: true,
    bulk_memory: true,
    reference_types: true,
    gc: true,
    memory64: true,
    extended_const: true,
    relaxed_simd: true,
  });
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return new Uint8Array(buffer);
}
