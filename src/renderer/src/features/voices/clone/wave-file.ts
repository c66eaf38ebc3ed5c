/** A wav file of 16-bit mono audio, from its chunks. */
export function waveFile(
  chunks: readonly Int16Array<ArrayBuffer>[],
  sampleRate: number,
  name: string,
): File {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const header = new DataView(new ArrayBuffer(44))
  const tag = (at: number, text: string): void => {
    for (const [i, letter] of [...text].entries()) header.setUint8(at + i, letter.charCodeAt(0))
  }
  tag(0, 'RIFF')
  header.setUint32(4, 36 + bytes, true)
  tag(8, 'WAVEfmt ')
  header.setUint32(16, 16, true)
  header.setUint16(20, 1, true)
  header.setUint16(22, 1, true)
  header.setUint32(24, sampleRate, true)
  header.setUint32(28, sampleRate * 2, true)
  header.setUint16(32, 2, true)
  header.setUint16(34, 16, true)
  tag(36, 'data')
  header.setUint32(40, bytes, true)
  return new File([header.buffer, ...chunks], name, { type: 'audio/wav' })
}
