import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtFiles, root } from './built.ts'
import { fileFilters, readConfiguration, unpackFilter } from './configuration.ts'
import { packedFiles } from './packed.ts'

const configuration = readConfiguration()
const { arch } = process
let packed: string[]
beforeAll(() => {
  for (const folder of ['out/main', 'out/preload', 'out/renderer', 'out/loopback'])
    builtFiles(folder)
  packed = packedFiles(configuration, 'linux', arch)
})

describe('the packed files', () => {
  test('are the host, the preload, the page, and their companion programs', () => {
    for (const file of [
      'package.json',
      'out/main/index.js',
      'out/main/workers/search.js',
      'out/main/workers/speech.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
      'node_modules/better-sqlite3/package.json',
      'node_modules/better-sqlite3/lib/index.js',
      `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`,
      'node_modules/@napi-rs/keyring/index.js',
      'node_modules/onnxruntime-web/package.json',
      'node_modules/onnxruntime-web/dist/ort.node.min.mjs',
      'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
      'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
      'node_modules/onnxruntime-common/package.json',
      'node_modules/@napi-rs/canvas/index.js',
      'node_modules/@energetic-ai/core/dist/index.js',
      'node_modules/@energetic-ai/core/dist/tfjs-backend-wasm-simd.wasm',
      'node_modules/@energetic-ai/embeddings/dist/index.js',
      'node_modules/pdfjs-dist/legacy/build/pdf.mjs',
      'node_modules/pdfjs-dist/legacy/build/pdf.worker.mjs',
      'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf',
      'node_modules/@libav.js/variant-fat/dist/libav-4.10.6.1.1-fat.js',
      'node_modules/@libav.js/variant-fat/dist/libav-4.10.6.1.1-fat.simd.js',
      'node_modules/@libav.js/variant-fat/dist/libav-4.10.6.1.1-fat.simd.wasm',
      'node_modules/wasm-media-encoders/dist/esnext/index.mjs',
      'node_modules/wasm-media-encoders/wasm/mp3.wasm',
      'node_modules/libheif-js/libheif-wasm/libheif.js',
      'node_modules/libheif-js/libheif-wasm/libheif.wasm',
      'node_modules/libheif-js/libheif-wasm/LICENSE',
      'node_modules/@echogarden/fvad-wasm/fvad.wasm',
      'node_modules/@echogarden/speex-resampler-wasm/wasm/speex-resampler-simd.wasm',
    ])
      expect(packed).toContain(file)
  })

  test('contain nothing of the loopback host, of tests, sources and tools', () => {
    const unwanted = packed.filter((file) =>
      /^(out\/loopback|src|test|scripts|resources|setup|dist|\.ci)\/|loopback-bridge-|\.map$|\.test\.|tsconfig|electron-builder|\.md$(?<!node_modules.*)/.test(
        file,
      ),
    )
    expect(unwanted).toEqual([])
    // The patterns themselves are checked, not only the files that happen to exist here.
    const { own } = fileFilters(configuration, 'linux', arch)
    const file = statSync(join(root, 'package.json'))
    expect(own(join(root, 'out/renderer/assets/loopback-bridge-0123abcd.js'), file)).toBe(false)
    expect(own(join(root, 'out/renderer/assets/index-0123abcd.js'), file)).toBe(true)
    expect(own(join(root, 'out/loopback/index.js'), file)).toBe(false)
    expect(own(join(root, 'out/main/index.js.map'), file)).toBe(false)
  })

  test('contain only the native parts of their target', () => {
    const natives = packed.filter((file) => file.endsWith('.node'))
    expect(natives).toEqual([
      `node_modules/@napi-rs/canvas-linux-${arch}-gnu/skia.linux-${arch}-gnu.node`,
      `node_modules/@napi-rs/keyring-linux-${arch}-gnu/keyring.linux-${arch}-gnu.node`,
      `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`,
    ])
  })

  test.each([
    ['win', 'x64', 'win32-x64.node', 'win32-x64-msvc'],
    ['win', 'arm64', 'win32-arm64.node', 'win32-arm64-msvc'],
    ['mac', 'arm64', 'darwin-arm64.node', 'darwin-arm64'],
    ['mac', 'x64', 'darwin-x64.node', 'darwin-x64'],
    ['linux', 'x64', 'linux-x64.node', 'linux-x64-gnu'],
    ['linux', 'arm64', 'linux-arm64.node', 'linux-arm64-gnu'],
  ] as const)(
    'for %s %s contain %s and the native packages for %s',
    (platform, target, sqlite, natives) => {
      const prebuilds = packedFiles(configuration, platform, target).filter((file) =>
        file.includes('/prebuilds/'),
      )
      expect(prebuilds).toEqual([`node_modules/better-sqlite3/prebuilds/${sqlite}`])
      const { packages } = fileFilters(configuration, platform, target)
      const file = statSync(join(root, 'package.json'))
      const packaged = ['canvas', 'keyring']
        .flatMap((name) => [
          `${name}-win32-x64-msvc`,
          `${name}-win32-arm64-msvc`,
          `${name}-darwin-arm64`,
          `${name}-darwin-x64`,
          `${name}-linux-x64-gnu`,
          `${name}-linux-arm64-gnu`,
          `${name}-linux-x64-musl`,
        ])
        .filter((name) => packages(join(root, 'node_modules/@napi-rs', name, 'x.node'), file))
      expect(packaged).toEqual([`canvas-${natives}`, `keyring-${natives}`])
      for (const name of ['canvas', 'keyring'])
        expect(packages(join(root, `node_modules/@napi-rs/${name}/index.js`), file)).toBe(true)
    },
  )

  // Includes 34 MB for Skia, which draws and decodes the pages for the local service, and 8 MB for diagrams and code highlighting.
  test('are small: under 95 MB without Electron and models', () => {
    const bytes = packed.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
    expect(bytes / 2 ** 20).toBeLessThan(95)
  })

  test('have native code and WebAssembly outside of the archive, and complete LGPL libraries', () => {
    const unpacks = unpackFilter(configuration.asarUnpack)
    const outside = packed.filter(unpacks)
    expect(
      outside.filter(
        (file) =>
          !/\.(node|wasm)$/.test(file) &&
          !/\/((keyring|canvas)-|@libav\.js\/|libheif-js\/)/.test(file),
      ),
    ).toEqual([])
    expect(
      packed.filter(
        (file) => /\.(node|wasm)$/.test(file) && !unpacks(file) && file.startsWith('node_modules'),
      ),
    ).toEqual([])
  })
})

describe('the packed files in isolation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-packed-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('load all of their packages and run them', async () => {
    for (const file of packed.filter(
      (path) => path.startsWith('node_modules/') || path === 'package.json',
    ))
      cpSync(join(root, file), join(folder, file))
    writeFileSync(
      join(folder, 'try.mjs'),
      `import Database from 'better-sqlite3'
       import { AsyncEntry } from '@napi-rs/keyring'
       import * as ort from 'onnxruntime-web'
       const one = new Database(':memory:').prepare("select count(*) c from (select 1)").get().c
       ort.env.wasm.numThreads = 1
       // An empty model: refused by the engine, which shows that the engine was loaded.
       const words = await ort.InferenceSession.create(new Uint8Array(8), { executionProviders: ['wasm'] }).catch((e) => e.message)
       import { createRequire } from 'node:module'
       import { dirname } from 'node:path'
       import { createCanvas } from '@napi-rs/canvas'
       import * as pdf from 'pdfjs-dist/legacy/build/pdf.mjs'
       const require = createRequire(import.meta.url)
       const core = require('@energetic-ai/core')
       core.setWasmPaths(dirname(require.resolve('@energetic-ai/core')) + '/')
       await core.ready()
       const { EmbeddingsModel } = require('@energetic-ai/embeddings')
       const pixels = createCanvas(2, 3).toBuffer('image/png').readUInt32BE(20)
       const pdfTrouble = await pdf.getDocument({ data: new Uint8Array(8) }).promise.catch((e) => e.name)
       const LibAV = require('@libav.js/variant-fat')
       const base = dirname(require.resolve('@libav.js/variant-fat'))
       const av = await LibAV.LibAV({ noworker: true, base })
       const { readFileSync } = await import('node:fs')
       const lame = readFileSync(require.resolve('wasm-media-encoders/wasm/mp3'))
       const encoder = await (await import('wasm-media-encoders/esnext')).createEncoder('audio/mpeg', new Uint8Array(lame).buffer)
       encoder.configure({ sampleRate: 16000, channels: 1, bitrate: 64 })
       const heif = require('libheif-js/libheif-wasm/libheif.js')({ wasmBinary: readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm')) })
       const fvad = typeof (await import('@echogarden/fvad-wasm')).default
       const speex = typeof (await import('@echogarden/speex-resampler-wasm/simd')).default
       const sound = { av: typeof av.ff_init_demuxer_file, mp3: encoder.encode([new Float32Array(16000)]).length > 0, fvad, speex, heif: typeof heif.HeifDecoder }
       const more = { ...sound, engine: core.getBackend(), model: typeof EmbeddingsModel, pixels, pdfTrouble }
       console.log(JSON.stringify({ one, keyring: typeof AsyncEntry, words, ...more }))`,
    )
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', join(folder, 'try.mjs')],
      {
        cwd: folder,
        timeout: 60_000,
      },
    )
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      one: 1,
      keyring: 'function',
      words: expect.stringMatching(/model|protobuf/i),
      engine: 'wasm',
      model: 'function',
      pixels: 3,
      pdfTrouble: 'InvalidPDFException',
      av: 'function',
      mp3: true,
      fvad: 'function',
      heif: 'function',
      speex: 'function',
    })
  })
})
