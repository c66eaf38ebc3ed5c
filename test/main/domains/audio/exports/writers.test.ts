import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import mammoth from 'mammoth'
import { parseSync } from 'subtitle'
import { describe, expect, test } from 'vitest'
import { cuesOf } from '../../../../../src/main/domains/audio/exports/captions.ts'
import { exportDocument } from '../../../../../src/main/domains/audio/exports/document.ts'
import type { ExportSource } from '../../../../../src/main/domains/audio/exports/document.ts'
import { fileName } from '../../../../../src/main/platform/files/display-name.ts'
import { writeExport } from '../../../../../src/main/domains/audio/exports/write.ts'
import type { TextFormat } from '../../../../../src/main/domains/audio/exports/write.ts'
import { meetingJson } from '../../../../../src/shared/contract/meeting-json.ts'
import { exportSource, plainOptions, type LineFields } from './export-source.ts'

/** A conversation of two people, if the file is available. */
const sample = new URL(
  '../../../../../../shared/samples/meeting-two-channels.json',
  import.meta.url,
)
interface Turn {
  readonly speaker: string
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
}

const long =
  'We said that the import pipeline is finished, but the search index still needs one more week; after that, the release can be cut. Is there anything else that has to be said before we go on to the next point of the list?'
const chinese =
  '我们先讨论春季版本的发布计划，导入流程已经完成，但是搜索索引还需要一周时间。中文两个字的词和很长文档的排序还没有做好。'
const talk: readonly LineFields[] = [
  { text: long, startMs: 0, endMs: 14_000 },
  { text: 'Yes & no <b>', startMs: 15_000, endMs: 16_000, channel: 1 },
  { text: chinese, startMs: 16_000, endMs: 30_000 },
  { text: 'Overlapping --> words', startMs: 29_000, endMs: 30_500, channel: 1 },
]

async function written(
  source: ExportSource,
  format: TextFormat,
  options = plainOptions,
): Promise<string> {
  const bytes = await writeExport({ source, format, options, language: 'en' })
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Cues as read by an independent parser. */
function parsed(text: string) {
  return parseSync(text).flatMap((node) => (node.type === 'cue' ? [node.data] : []))
}

const cues = (source: ExportSource) => cuesOf(exportDocument(source, plainOptions, 'en'))

describe('captions', () => {
  test('an independent parser reads the cues of srt and vtt unchanged', async () => {
    const source = exportSource(talk)
    const expected = cues(source).map(({ startMs, endMs }) => ({ start: startMs, end: endMs }))
    for (const format of ['srt', 'vtt'] as const) {
      const read = parsed(await written(source, format))
      expect(read.map(({ start, end }) => ({ start, end }))).toEqual(expected)
    }
    const srt = parsed(await written(source, 'srt'))
    expect(srt.map(({ text }) => text.replace(/\s/g, '')).join('')).toContain('Me:Wesaidthat')
    const vtt = await written(source, 'vtt')
    expect(vtt).toContain('<v Ann &gt; Bob>Yes &amp; no &lt;b&gt;</v>')
    expect(vtt.startsWith('WEBVTT\n\n')).toBe(true)
  })

  test('a real conversation on two channels keeps every word, without overlaps in a channel', async () => {
    if (!existsSync(sample)) {
      console.info('no sample of a talk here: the made one has to do')
      return
    }
    const { turns } = JSON.parse(await readFile(sample, 'utf8')) as {
      readonly turns: readonly Turn[]
    }
    const source = exportSource(
      turns.map(({ speaker, start, end, text }) => ({
        text,
        startMs: Math.round(start * 1000),
        endMs: Math.round(end * 1000),
        channel: speaker === 'me' ? 0 : 1,
      })),
    )
    const options = { ...plainOptions, speakers: false }
    for (const format of ['srt', 'vtt'] as const) {
      const read = parsed(await written(source, format, options))
      const plain = (texts: readonly string[]): string => texts.join(' ').replaceAll(/\s+/g, ' ')
      expect(plain(read.map(({ text }) => text))).toBe(plain(turns.map(({ text }) => text)))
      expect(read.map(({ start, end }) => ({ startMs: start, endMs: end }))).toEqual(
        cues(source).map(({ startMs, endMs }) => ({ startMs, endMs })),
      )
    }
    const own = cues(source).filter(({ channel }) => channel === 0)
    for (const [at, cue] of own.entries())
      expect(own[at + 1]?.startMs ?? cue.endMs).toBeGreaterThanOrEqual(cue.endMs)
  })

  test('srt is numbered from 1, has commas, and a byte order mark on request', async () => {
    const text = await written(exportSource(talk), 'srt', { ...plainOptions, bom: true })
    expect(text.startsWith('\ufeff1\r\n00:00:00,000 --> ')).toBe(true)
    const numbers = [...text.slice(1).matchAll(/^(\d+)\r$/gm)].map((match) => Number(match[1]))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(text.match(/-->/g)).toHaveLength(numbers.length)
  })

  test('excludes a pause after a sentence from cues', () => {
    const sentence = 'Nobody knows when the release is going out today.'
    const text = `${sentence} ${sentence}`
    const source = exportSource([{ text, startMs: 0, endMs: 13_000 }])
    const voiced = [
      { startMs: 0, endMs: 3000 },
      { startMs: 10_000, endMs: 13_000 },
    ]
    const segments = source.segments.map((one) => ({ ...one, voiced }))
    const made = cues({ ...source, segments })
    expect(made.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 3000],
      [10_000, 13_000],
    ])
  })

  test('limits cues to two rows of 42 or 18 characters, without overlap in a channel', () => {
    for (const cue of cues(exportSource(talk))) {
      const wide = /\p{sc=Han}/u.test(cue.rows.join(''))
      expect(cue.rows.length).toBeLessThanOrEqual(2)
      for (const row of cue.rows) expect(row.length).toBeLessThanOrEqual(wide ? 18 : 42)
    }
  })

  test('any conversation results in ordered cues that contain every word', () => {
    const words = fc.stringMatching(/^[a-zA-Z一-鿿&<>,.?!-]{1,60}$/)
    const lines = fc.array(
      fc.record({
        words: fc.array(words, { minLength: 1, maxLength: 40 }),
        startMs: fc.integer({ min: 0, max: 60_000 }),
        lasts: fc.integer({ min: 1, max: 29_000 }),
        channel: fc.integer({ min: 0, max: 1 }),
      }),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(lines, (spokenLines) => {
        const source = exportSource(
          spokenLines.map(({ words: all, startMs, lasts, channel }) => ({
            text: all.join(' '),
            startMs,
            endMs: startMs + lasts,
            channel,
          })),
        )
        const made = cues(source)
        for (const channel of [0, 1]) {
          const own = made.filter((cue) => cue.channel === channel)
          for (const [index, cue] of own.entries()) {
            expect(cue.endMs).toBeGreaterThan(cue.startMs)
            expect(cue.endMs - cue.startMs).toBeLessThanOrEqual(7000)
            expect(cue.rows.length).toBeLessThanOrEqual(2)
            const next = own[index + 1]
            if (next) expect(next.startMs).toBeGreaterThanOrEqual(cue.endMs)
          }
          const letters = (text: string): string => [...text.replace(/\s/g, '')].toSorted().join('')
          const spoken = spokenLines
            .filter((one) => one.channel === channel)
            .flatMap((one) => one.words)
          expect(letters(own.flatMap(({ rows }) => rows).join(''))).toBe(letters(spoken.join('')))
        }
      }),
      { numRuns: 200, seed: 4 },
    )
  })
})

describe('texts', () => {
  test('plain text has turns with time and speaker, and reports gaps', async () => {
    const source = exportSource(talk, {
      gaps: [{ id: 'g', startMs: 14_000, endMs: 15_500, channel: null, reason: 'device' }],
    })
    const text = await written(source, 'txt')
    expect(text).toContain('[0:00] Me: We said that')
    expect(text).toContain('[0:14 - 0:15: no audio]')
    expect(text).toContain('[0:15] Ann > Bob: Yes & no <b>')
    const bare = await written(source, 'txt', {
      ...plainOptions,
      timestamps: false,
      speakers: false,
      gaps: false,
      speakerIds: ['speaker1'],
    })
    expect(bare).not.toContain('We said')
    expect(bare).not.toContain('[0:')
    expect(bare).toContain('\nYes & no <b>\n')
  })

  const talkAlone: readonly LineFields[] = Array.from({ length: 5 }, (_, at) => ({
    text: `Sentence number ${at} of a talk that one person gives alone.`,
    startMs: at * 4000,
    endMs: at * 4000 + 3900,
  }))

  test.each(['md', 'txt', 'docx', 'html'] as const)(
    '%s: each line is a paragraph with its time and speaker, next to bookmarks and notes',
    async (format) => {
      const source = exportSource(talkAlone)
      const bytes = await writeExport({ source, format, options: plainOptions, language: 'en' })
      const text =
        format === 'docx'
          ? (await mammoth.extractRawText({ buffer: Buffer.from(bytes) })).value
          : new TextDecoder().decode(bytes)
      const times = [...text.matchAll(/^(?:<p><time>|[`[]?)(\d+:\d\d)[^\nM]*Me(?:\*\*)?:/gm)].map(
        (one) => one[1],
      )
      expect(times).toEqual(['0:00', '0:04', '0:08', '0:12', '0:16'])
      for (const part of ['Bookmarks', 'the date', 'Notes', 'call back'])
        expect(text).toContain(part)
      for (const { text: spokenText } of talkAlone) expect(text).toContain(spokenText)
    },
  )

  test('splits a very long line at its sentences', async () => {
    const source = exportSource([
      {
        text: Array.from({ length: 40 }, (_, at) => `Sentence ${at} of a talk given alone.`).join(
          ' ',
        ),
        startMs: 0,
        endMs: 160_000,
      },
    ])
    const text = await written(source, 'txt')
    expect([...text.matchAll(/^\[\d:\d\d\] Me: Sentence/gm)].length).toBeGreaterThan(2)
    expect(text).toContain('39 of a talk')
  })

  test('omits empty data; a bookmark without a name shows the words at its position', async () => {
    const bookmarks = [
      { id: 'a', atMs: 500, label: '' },
      { id: 'b', atMs: 90_000, label: '  ' },
    ]
    const plain = exportSource([{ text: 'Good morning.', startMs: 0, endMs: 1000 }], {
      hotwords: [],
      bookmarks,
    })
    const text = await written(plain, 'md')
    expect(text).not.toMatch(/hotwords|gaps|not transcribed|to review|\b0:00,|%| $/im)
    expect(text).toContain('## Bookmarks\n\n- 0:00 “Good morning.”\n\n##')
    expect(await written(plain, 'txt')).toMatch(/^Date: [\d-]+ · Duration: 0:01$/m)
    const doubtful = exportSource([], {
      bookmarks: [],
      completeness: {
        ...plain.meeting.completeness,
        segmentsMs: 10_000,
        transcribedMs: 8000,
        failed: 1,
        flagged: 2,
        gapsMs: 3000,
      },
    })
    expect(await written(doubtful, 'txt')).toContain(
      '80% transcribed · Gaps: 0:03 · 1 not transcribed · 2 to review',
    )
    expect(await written(doubtful, 'md')).not.toMatch(/Bookmarks|Transcript|participants/)
  })

  test('Markdown keeps speech as text, and its front matter contains strings', async () => {
    const text = await written(
      exportSource([{ text: '# not *a* heading', startMs: 0, endMs: 900 }]),
      'md',
    )
    expect(text).toContain(String.raw`title: "Weekly: plans & \"risks\" <1>"`)
    expect(text).toContain(String.raw`**Me**: \# not \*a\* heading`)
    expect(text).toContain('participants: ["Me"]')
  })

  test('an independent reader finds the text in the Word document', async () => {
    const source = exportSource([
      ...talk,
      { text: 'bell\u0007 and \ud800 half', startMs: 40_000, endMs: 41_000 },
    ])
    const bytes = await writeExport({
      source,
      format: 'docx',
      options: plainOptions,
      language: 'zh',
    })
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) })
    for (const { text } of talk) expect(value).toContain(text)
    expect(value).toContain('bell and  half')
    expect(value).toContain('文字稿')
    expect(value).toContain('我: ')
  })

  describe('a summary alone', () => {
    const summary = {
      id: 'sum',
      templateId: 't',
      templateName: 'By topic',
      state: 'done',
      points: [
        { section: 'A *b*', text: '# <b>[x](y)</b>\n1. z', lineIds: ['l0', 'l1', 'l3', 'gone'] },
        { section: 'Next', text: '下一步', lineIds: [] },
      ],
      engine: 'glm',
      error: null,
      at: 1,
    } as const
    const source = exportSource(talk, { title: 'Weekly', summaries: [summary] })
    const alone = async (format: TextFormat): Promise<Uint8Array> =>
      writeExport({ source, format, options: plainOptions, language: 'en', summaryId: 'sum' })
    const text = async (format: TextFormat): Promise<string> =>
      new TextDecoder().decode(await alone(format))

    test('has the times of its sources, and its text stays text', async () => {
      expect(await text('md')).toBe(
        String.raw`# Weekly: By topic

## A \*b\*

- \# \<b\>\[x\](y)\</b\>
1\. z (0:00, 0:29)

## Next

- 下一步
`,
      )
      expect(await text('txt')).toBe(`Weekly: By topic

A *b*
- # <b>[x](y)</b>
1. z (0:00, 0:29)

Next
- 下一步
`)
      const page = await text('html')
      expect(page).toContain('<h2>A *b*</h2>')
      expect(page).toContain('<li># &lt;b&gt;[x](y)&lt;/b&gt;\n1. z (0:00, 0:29)</li>')
      expect(page).not.toContain('Yes &amp; no')
      const { value } = await mammoth.extractRawText({ buffer: Buffer.from(await alone('docx')) })
      expect(value).toContain('Weekly: By topic')
      expect(value).toContain('下一步')
      expect(value).not.toContain('Yes & no')
    })
  })

  test('a page contains summaries, bookmarks, notes and the transcript', async () => {
    const page = await written(exportSource(talk), 'html')
    for (const part of [
      'the date',
      'call back',
      'Ann &gt; Bob:',
      chinese,
      'Yes &amp; no &lt;b&gt;',
    ])
      expect(page).toContain(part)
    expect(page).toMatch(/<p><time>0:15<\/time><b>Ann &gt; Bob:<\/b> Yes/)
  })

  test('JSON is read back completely', async () => {
    const source = exportSource(talk)
    const read = meetingJson.parse(JSON.parse(await written(source, 'json')))
    expect(read.lines).toEqual(source.lines)
    expect(read.readings).toEqual(source.versions.map(({ accountId: _, ...version }) => version))
    expect(read.segments.map(({ voiced }) => voiced)).toEqual(
      source.segments.map(({ voiced }) => voiced),
    )
    expect(read).toMatchObject({
      title: source.meeting.title,
      notes: 'call back',
      hotwords: ['Lectern'],
    })
  })

  test.each([
    ['a/b:c*?"<>|d', 'a b c d.txt'],
    ['..', 'meeting.txt'],
    ['CON\u0000\u202e', 'CON_.txt'],
    ['aux.old', 'aux_.old.txt'],
    ['COM\u00b2', 'COM\u00b2_.txt'],
    [`${'a'.repeat(79)}. b`, `${'a'.repeat(79)}.txt`],
    ['C:', 'C.txt'],
    ['会议 '.repeat(60), `${'会议 '.repeat(60).slice(0, 80).trim()}.txt`],
  ])('names the file of the title %j %j', (title, name) => {
    expect(fileName(title, 'txt')).toBe(name)
  })
})
