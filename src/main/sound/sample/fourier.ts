/** A discrete Fourier transform of one length (a power of two), in place: real and imaginary parts. */
export interface Fourier {
  readonly size: number
  transform(re: Float64Array, im: Float64Array): void
}

/** Prepares one. */
export function createFourier(size: number): Fourier {
  const bits = Math.log2(size)
  const reversed = Uint32Array.from({ length: size }, (_, i) => {
    let out = 0
    for (let bit = 0; bit < bits; bit++) if (i & (1 << bit)) out |= 1 << (bits - 1 - bit)
    return out
  })
  const cos = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sin = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size))

  return {
    size,
    transform(re, im) {
      for (let i = 0; i < size; i++) {
        const j = reversed[i] ?? 0
        if (j <= i) continue
        const [a = 0, b = 0] = [re[i], im[i]]
        re[i] = re[j] ?? 0
        im[i] = im[j] ?? 0
        re[j] = a
        im[j] = b
      }
      for (let half = 1; half < size; half *= 2) {
        const stride = size / (2 * half)
        for (let start = 0; start < size; start += 2 * half)
          for (let k = 0; k < half; k++) {
            const c = cos[k * stride] ?? 0
            const s = sin[k * stride] ?? 0
            const [i, j] = [start + k, start + k + half]
            const [x = 0, y = 0] = [re[j], im[j]]
            const tr = x * c + y * s
            const ti = y * c - x * s
            re[j] = (re[i] ?? 0) - tr
            im[j] = (im[i] ?? 0) - ti
            re[i] = (re[i] ?? 0) + tr
            im[i] = (im[i] ?? 0) + ti
          }
      }
    },
  }
}
