import type * as ort from 'onnxruntime-web'

/** Converts the pixels of a canvas (four bytes each) to normalized values, channel by channel. */
export function planes(
  pixels: Uint8ClampedArray,
  target: Float32Array,
  offset: number,
  place: { readonly width: number; readonly height: number; readonly stride: number },
  scale: readonly (readonly [mean: number, deviation: number])[],
): void {
  const { width, height, stride } = place
  const size = stride * height
  // The models were trained on BGR images.
  const source = [2, 1, 0]
  for (const [plane, [mean, deviation]] of scale.entries()) {
    const channel = source[plane] ?? 0
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const value = (pixels[4 * (y * width + x) + channel] ?? 0) / 255
        target[offset + plane * size + y * stride + x] = (value - mean) / deviation
      }
  }
}

/** Returns the numbers of a model output. Throws if there are none. */
export function floatsOf(tensor: ort.Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data
  throw new Error('The model returned an output of an unexpected type')
}
