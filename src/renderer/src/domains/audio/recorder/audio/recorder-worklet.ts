import { createBlockPacker, type BlockPacker } from './block-packer.ts'
import { createLevelMeter } from './level-meter.ts'
import type { LevelMessage, RecorderMessage, WorkletRequest } from './messages.ts'

// The audio worklet's own globals, which the DOM type library lacks.
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(
  name: string,
  processor: new (options: { processorOptions: { channels: number } }) => AudioWorkletProcessor,
): void

/** Frames per block: 171 ms at 48 kHz, a multiple of the 128 frames processed at once. */
const blockFrames = 8192
/** Frames per level message: 21 ms at 48 kHz. */
const levelFrames = 1024

/** Counts, packs and measures both channels; sends blocks directly to the sender, levels to the window. */
class Recorder extends AudioWorkletProcessor {
  private readonly channels: number
  private readonly meter
  private packer: BlockPacker | null = null
  private sink: MessagePort | null = null
  private paused = false
  private ended = false
  private readonly channelInputs: (Float32Array | undefined)[]

  constructor(options: { processorOptions: { channels: number } }) {
    super()
    this.channels = options.processorOptions.channels
    this.meter = createLevelMeter(this.channels)
    this.channelInputs = Array.from({ length: this.channels }, () => undefined)
    this.port.onmessage = ({ data }: MessageEvent<WorkletRequest>) => this.obey(data)
  }

  private obey(request: WorkletRequest): void {
    if (request.type === 'record') {
      this.sink = request.port
      this.packer = createBlockPacker(this.channels, blockFrames, ({ seq, frame, samples }) =>
        this.post({ type: 'block', seq, frame, samples, wallMs: Date.now() }, [samples.buffer]),
      )
      return
    }
    if (!this.packer || this.ended) return
    if (request.type === 'resume') {
      if (this.paused) this.post({ type: 'resumed', frame: this.packer.frame })
      this.paused = false
      return
    }
    this.packer.flush()
    if (request.type === 'pause' && !this.paused) {
      this.paused = true
      this.post({ type: 'paused', frame: this.packer.frame })
    }
    if (request.type === 'end') {
      this.ended = true
      this.post({ type: 'ended', frame: this.packer.frame })
    }
  }

  private post(message: RecorderMessage, transfer: Transferable[] = []): void {
    this.sink?.postMessage(message, transfer)
  }

  /** Called by the audio thread for every 128 frames. An input without a source has no channel: it counts as silence. */
  process(
    inputs: readonly (readonly Float32Array[])[],
    outputs: readonly Float32Array[][],
  ): boolean {
    const frames = outputs[0]?.[0]?.length ?? inputs[0]?.[0]?.length ?? 128
    for (let channel = 0; channel < this.channels; channel++)
      this.channelInputs[channel] = inputs[channel]?.[0]
    this.meter.take(this.channelInputs, frames)
    if (this.packer && !this.paused && !this.ended) this.packer.take(this.channelInputs, frames)
    if (this.meter.frames >= levelFrames) {
      const counted = this.meter.frames
      const message: LevelMessage = { type: 'levels', frames: counted, levels: this.meter.read() }
      this.port.postMessage(message)
    }
    return true
  }
}

registerProcessor('lectern-recorder', Recorder)
