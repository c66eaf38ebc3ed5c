/** Bytes of the header of a WAV file that has nothing else (RIFF, fmt, data). */
export const waveHeaderBytes = 44

/** Layout of 16-bit audio. */
export interface WaveLayout {
  readonly channels: number
  readonly sampleRate: number
}

/** Returns the number of bytes of one frame of 16-bit audio. */
export const frameBytesOf = ({ channels }: Pick<WaveLayout, 'channels'>): number => channels * 2

/** Maximum bytes of audio that a plain RIFF header can describe. */
export const maxRiffBytes = 0xff_ff_ff_ff - (waveHeaderBytes - 8)

/** Number of bytes of the header of a file of 4 GiB and more: RIFF, ds64, fmt, data. */
const largeHeaderBytes = 80

/** Returns the bytes that {@link waveHeader} needs for this many bytes of audio. */
export const waveHeaderLength = (dataBytes: number): number =>
  dataBytes > maxRiffBytes ? largeHeaderBytes : waveHeaderBytes

/** Builds the header of a 16-bit WAV file; above 4 GiB an RF64 header (EBU Tech 3306), with the actual sizes in `ds64`. */
export function waveHeader(layout: WaveLayout, dataBytes: number): Uint8Array<ArrayBuffer> {
  const large = dataBytes > maxRiffBytes
  const bytes = new Uint8Array(waveHeaderLength(dataBytes))
  const view = new DataView(bytes.buffer)
  let at = 0
  const tag = (text: string): void => {
    for (const letter of text) view.setUint8(at++, letter.charCodeAt(0))
  }
  const word = (value: number): void => {
    view.setUint32(at, value, true)
    at += 4
  }
  const half = (value: number): void => {
    view.setUint16(at, value, true)
    at += 2
  }
  const long = (value: number): void => {
    view.setBigUint64(at, BigInt(value), true)
    at += 8
  }
  tag(large ? 'RF64' : 'RIFF')
  word(large ? 0xff_ff_ff_ff : bytes.length - 8 + dataBytes)
  tag('WAVE')
  if (large) {
    tag('ds64')
    word(28)
    long(bytes.length - 8 + dataBytes)
    long(dataBytes)
    long(dataBytes / frameBytesOf(layout))
    word(0)
  }
  tag('fmt ')
  word(16)
  half(1)
  half(layout.channels)
  word(layout.sampleRate)
  word(layout.sampleRate * frameBytesOf(layout))
  half(frameBytesOf(layout))
  half(16)
  tag('data')
  word(large ? 0xff_ff_ff_ff : dataBytes)
  return bytes
}

/** Reads the header of a Lectern part; null if it is none. Sizes are those in the header, not the actual ones. */
export function readWaveHeader(
  bytes: Uint8Array,
): (WaveLayout & { readonly riffBytes: number; readonly dataBytes: number }) | null {
  if (bytes.length < waveHeaderBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tags = [0, 8, 12, 36].map((at) => String.fromCharCode(...bytes.subarray(at, at + 4)))
  if (tags.join() !== 'RIFF,WAVE,fmt ,data') return null
  const channels = view.getUint16(22, true)
  const sampleRate = view.getUint32(24, true)
  if (view.getUint16(20, true) !== 1 || view.getUint16(34, true) !== 16) return null
  if (channels < 1 || sampleRate < 1 || view.getUint16(32, true) !== channels * 2) return null
  return {
    channels,
    sampleRate,
    riffBytes: view.getUint32(4, true),
    dataBytes: view.getUint32(40, true),
  }
}
