/** kernel.wat, assembled. */
const assembled =
  'AGFzbQEAAAABCQFgBX9/f39/AAITAQdsZWN0ZXJuBm1lbW9yeQIAAQMCAQAHCAEEZG90cwAACsEBAb4BAgJ/AnsgAUUEQA8L' +
  'A0AgACACaiEFIAMhBv0MAAAAAAAAAAAAAAAAAAAAACEH/QwAAAAAAAAAAAAAAAAAAAAAIQgDQCAHIAD9AQMAIAb9AAQA/boB' +
  '/a4BIQcgCCAA/QEDCCAG/QAEEP26Af2uASEIIAZBIGohBiAAQRBqIQAgACAFSQ0ACyAHIAj9rgEhByAEIAf9GwAgB/0bAWog' +
  'B/0bAiAH/RsDamo2AgAgBEEEaiEEIAFBAWshASABDQALCw=='

/** Used part of WebAssembly: Node has it, but Node's types do not include it. */
declare const WebAssembly: {
  readonly Memory: new (size: {
    readonly initial: number
    readonly maximum: number
  }) => KernelMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: { readonly lectern: { readonly memory: KernelMemory } },
  ) => { readonly exports: { readonly dots: Kernel['dots'] } }
}

/** Memory that grows by pages of 64 KiB; `buffer` changes when it grows. */
interface KernelMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** Kernel with its own memory. Addresses are bytes of that memory. */
interface Kernel {
  readonly memory: KernelMemory
  /**
   * Computes dot products of `count` codes of `bytes` 8-bit numbers each, from the address `codes` on, with a query of 16-bit
   * numbers at `query`; writes them to `dots` as 32-bit integers. `bytes` is a multiple of 16.
   */
  dots(codes: number, count: number, bytes: number, query: number, dots: number): void
}

/** Maximum bytes of a memory: 4 GiB. */
export const maxMemory = 2 ** 32

/** Creates a kernel whose memory has at least these bytes. */
export function createKernel(bytes: number): Kernel {
  const pages = Math.max(1, Math.ceil(bytes / 65_536))
  const memory = new WebAssembly.Memory({ initial: pages, maximum: maxMemory / 65_536 })
  const module = new WebAssembly.Module(Buffer.from(assembled, 'base64'))
  const { exports } = new WebAssembly.Instance(module, { lectern: { memory } })
  return { memory, dots: exports.dots }
}
