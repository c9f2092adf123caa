/** The lower triangle L with L·Lᵀ = a, for a symmetric matrix that is positive definite; row by row, m rows. */
export function factor(a: Float64Array, m: number): Float64Array<ArrayBuffer> {
  const l = new Float64Array(m * m);
  for (let i = 0; i < m; i++)
    for (let j = 0; j <= i; j++) {
      let sum = a[i * m + j]!;
      for (let k = 0; k < j; k++) sum -= l[i * m + k]! * l[j * m + k]!;
      l[i * m + j] = i === j ? Math.sqrt(sum) : sum / l[j * m + j]!;
    }
  return l;
}

/** x with L·Lᵀ·x = b. */
export function solve(l: Float64Array, b: Float64Array): Float64Array {
  const m = b.length;
  const x = Float64Array.from(b);
  for (let i = 0; i < m; i++) {
    let sum = x[i]!;
    for (let k = 0; k < i; k++) sum -= l[i * m + k]! * x[k]!;
    x[i] = sum / l[i * m + i]!;
  }
  for (let i = m - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < m; k++) sum -= l[k * m + i]! * x[k]!;
    x[i] = sum / l[i * m + i]!;
  }
  return x;
}
