import { chunk, wave, waveFormat } from '../fixtures/audio-bytes.ts'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { makePdf, paper } from '../local-service/fixtures/papers.ts'
import { speak } from '../local-service/fixtures/audio-samples.ts'

/** IDs of the prepared items. */
export interface SampleLibrary {
  readonly meeting: string
  readonly document: string
  readonly chat: string
  readonly knowledgeBase: string
  readonly voice: string
  readonly run: string
}

/** A meeting of two people; the second one is the others' channel. */
const turns: readonly (readonly [channel: number, text: string])[] = [
  [0, 'Good morning. Let us begin with the plan for the spring release.'],
  [1, 'The import is finished, but the search index needs one more week.'],
  [0, 'Can we ship the first version without the new index?'],
  [1, 'I would rather wait. People will search on the first day.'],
  [0, 'Then we move the release to the end of the month.'],
  [1, 'I will write that down and send it to everybody after the meeting.'],
  [0, 'How much did we spend on servers in the last quarter?'],
  [1, 'Twelve percent less than planned. The report is almost done.'],
  [0, 'Very good. Please send me the report when it is finished.'],
]

const guide = [
  {
    title: 'Lighthouse handbook',
    paragraphs: [
      'The great lamp of the northern lighthouse is lit at dusk and burns until the sun is up.',
      'The keeper checks the lens every evening and cleans it with soft cloth and warm water.',
    ],
  },
  {
    title: 'Stores',
    paragraphs: [
      'Barrels of lamp oil are kept in the cellar below the stairs, never in the tower itself.',
      'One barrel lasts eleven nights in winter and nineteen nights in summer.',
    ],
  },
  {
    title: 'The log',
    paragraphs: [
      'Every keeper writes the direction of the wind into the log at six in the morning.',
      'Ships that pass at night are written down with their lights and their course.',
    ],
  },
] as const

const stores = [
  ['Store', 'Winter', 'Summer'],
  ['Lamp oil, barrels', '14', '9'],
  ['Cloth, rolls', '6', '4'],
  ['Wicks', '120', '80'],
] as const

/** The meeting as a stereo WAV: each voice on a channel of its own, with short pauses. */
function meetingAudio(): Buffer {
  const rate = 22_050
  const spoken = turns.map(([channel, text]) => {
    const bytes = speak(text, channel === 0 ? 'en-us+f3' : 'en-gb')
    return {
      channel,
      samples: new Int16Array(
        bytes.buffer.slice(
          bytes.byteOffset + 44,
          bytes.byteOffset + bytes.length - (bytes.length % 2),
        ),
      ),
    }
  })
  const pause = Math.round(rate * 0.9)
  const frames = spoken.reduce((sum, { samples }) => sum + samples.length + pause, pause)
  const stereo = new Int16Array(frames * 2)
  let at = pause
  for (const { channel, samples } of spoken) {
    for (const [n, sample] of samples.entries()) stereo[(at + n) * 2 + channel] = sample
    at += samples.length + pause
  }
  return wave([
    chunk('fmt ', waveFormat({ sampleRate: rate, channels: 2 })),
    chunk('data', Buffer.from(stereo.buffer)),
  ])
}

const handbook = (): Promise<Uint8Array> =>
  makePdf(
    guide.map(({ title, paragraphs }, at) => ({ write, flow, line }) => {
      write(title, 72, paper.height - 90, at === 0 ? 22 : 16, true)
      let y = paper.height - 130
      for (const text of paragraphs) y = flow(text, 72, y, 440) - 14
      if (at !== 1) return
      for (const [row, cells] of stores.entries()) {
        for (const [column, text] of cells.entries())
          write(text, 84 + column * 140, y - 26 - row * 24, 11, row === 0)
        line(72, y - 10 - row * 24, 492, y - 10 - row * 24)
      }
      line(72, y - 10 - stores.length * 24, 492, y - 10 - stores.length * 24)
      for (let column = 0; column <= 3; column++)
        line(72 + column * 140, y - 10, 72 + column * 140, y - 10 - stores.length * 24)
    }),
  )

const minutes = `# Minutes of the spring planning

The release moves to the end of the month, because the search index needs one more week.
Server costs were twelve percent below the plan. The report follows after the meeting.
`

/** Asks until the answer is there; fails after three minutes. */
async function until<T>(what: string, poll: () => Promise<T | null>): Promise<T> {
  const end = Date.now() + 180_000
  for (;;) {
    const found = await poll()
    if (found !== null) return found
    if (Date.now() > end) throw new Error(`${what} isn’t ready after three minutes`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** Fills an empty library over the bridge: everything is made by the on-device models. */
export async function prepareLibrary(client: BridgeClient): Promise<SampleLibrary> {
  const { call } = client
  await call('settings.update', { welcomed: true, inspectorOpen: true })

  const audio = await client.intake('Spring planning.wav', meetingAudio())
  const { meeting } = await call('meetings.import', { mediaId: audio.id, channels: 'split' })
  await call('library.rename', { id: meeting.id, title: 'Spring planning' })

  const pdf = await client.intake('Lighthouse handbook.pdf', await handbook())
  const { document } = await call('documents.create', { mediaId: pdf.id })
  const { version } = await call('documents.parse', {
    id: document.id,
    options: { pages: '', crops: false, layoutPictures: false },
  })

  const base = await call('knowledge.create', {
    name: 'Coast',
    description: 'Handbooks and minutes',
    embeddingId: 11,
    contextual: false,
    background: 'sky',
    icon: 'house',
  })
  const notes = await client.intake('Minutes.md', Buffer.from(minutes))
  await call('knowledge.upload', {
    baseId: base.id,
    sources: [
      { kind: 'file', mediaId: pdf.id, name: 'Lighthouse handbook.pdf' },
      { kind: 'file', mediaId: notes.id, name: 'Minutes.md' },
    ],
    slicing: { type: 1, separators: [], sentenceSize: 300 },
    parseImages: false,
  })
  await until('The knowledge base', async () => {
    await call('knowledge.refreshDocuments', { baseId: base.id, word: '' })
    const { documents } = await call('knowledge.documents', { baseId: base.id })
    const done = documents.filter(({ state }) => state === 'done')
    return done.length === 2 ? done : null
  })
  await until('The document', async () => {
    const { versions } = await call('documents.queue', {})
    return versions.some(({ id }) => id === version.id) ? null : true
  })

  const chat = await call('chats.create', {
    settings: {
      kind: 'agent',
      knowledgeIds: [base.id],
      topK: null,
      topN: null,
      rerank: false,
      similarityThreshold: null,
      model: null,
      temperature: null,
      maxSteps: null,
      thinking: true,
    },
    temporary: false,
  })
  const { answer } = await call('chats.ask', {
    id: chat.id,
    text: 'When is the lamp of the lighthouse lit, and where is the oil kept?',
    attachments: [],
    streamId: 'screenshots-chat',
    waits: false,
  })
  await until('The answer', async () => {
    if (!answer) throw new Error('The question wasn’t sent')
    const { state } = await call('chats.message', { id: answer.id })
    if (state === 'failed') throw new Error('The answer failed')
    return state === 'done' ? true : null
  })

  const sample = await client.intake(
    'My voice.wav',
    speak(
      'This is my voice. I speak calmly and clearly, so that the sample is easy to use. I read a few sentences in one tone.',
    ),
  )
  const voice = await call('voices.takeSample', {
    from: { mediaId: sample.id, recorded: false },
    language: 'en',
    title: 'My voice',
  })
  await until('The voice sample', async () => {
    const now = await call('voices.sample', { id: voice.id })
    return now.versions.length > 0 ? true : null
  })

  const run = await call('runs.start', {
    operation: 'rerank.create',
    input: {
      query: 'Where is the lamp oil kept?',
      documents: [
        'Barrels of lamp oil are kept in the cellar below the stairs.',
        'The lamp is lit at dusk.',
        'Every keeper writes the direction of the wind into the log.',
      ],
    },
    streamId: 'screenshots-run',
  })
  await until('The run', async () =>
    (await call('runs.get', { id: run.id })).state === 'done' ? true : null,
  )
  const transcribed = await until('The meeting', async () => {
    const { meeting: now } = await call('meetings.get', { id: meeting.id })
    const { segmentsMs, transcribedMs, waiting, analysedMs } = now.completeness
    const done = waiting === 0 && segmentsMs > 0 && transcribedMs === segmentsMs
    return now.state === 'stopped' && done && analysedMs >= now.durationMs - 1000 ? now : null
  })
  // Corrected as a user would do it: the model mishears a synthetic voice now and then.
  const { lines } = await call('meetings.lines', { id: meeting.id })
  const inOrder = lines.toSorted((a, b) => a.startMs - b.startMs)
  for (const [at, line] of inOrder.entries()) {
    const text = turns[at]?.[1]
    if (inOrder.length === turns.length && text !== undefined && line.text !== text)
      await call('meetings.edit', { id: meeting.id, edit: { type: 'text', lineId: line.id, text } })
  }
  for (const [at, name] of ['Anna', 'Ben'].entries()) {
    const speaker = transcribed.speakers[at]
    if (speaker)
      await call('meetings.edit', {
        id: meeting.id,
        edit: { type: 'renameSpeaker', speakerId: speaker.id, name },
      })
  }
  await call('meetings.bookmark', { id: meeting.id, atMs: 21_000, label: 'Release date' })
  return {
    meeting: meeting.id,
    document: document.id,
    chat: chat.id,
    knowledgeBase: base.id,
    voice: voice.id,
    run: run.id,
  }
}
