import { describe, expect, test } from 'vitest'
import { operations } from '../../../../src/main/operations/index.ts'
import { operationInfo } from '../../../../src/main/operations/describe.ts'
import { en } from '../../../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../../../src/renderer/src/i18n/zh/index.ts'
import {
  draftOf,
  fieldNamed,
  formFields,
  inputOf,
  type Draft,
} from '../../../../src/renderer/src/domains/playground/runs/form.ts'
import {
  bodyOf,
  taskBody,
} from '../../../../src/renderer/src/domains/playground/tasks/task-body.ts'
import { offeredModels } from '../../../../src/shared/provider/model-names.ts'
import { localAccountId, presets } from '../../../../src/shared/provider/profiles.ts'

const formOf = (name: keyof typeof operations) =>
  formFields(operationInfo(name, operations[name]).fields)
const inputFor = (name: keyof typeof operations, draft: Draft) => inputOf(formOf(name), draft)

describe('form of an operation', () => {
  test('has a control for every field of every operation', () => {
    const kinds = Object.keys(operations).flatMap((name) =>
      formOf(name as keyof typeof operations).map(({ path, kind }) => `${path} ${kind}`),
    )
    expect(kinds).toContain('query long')
    expect(kinds).toContain('documents lines')
    expect(kinds).toContain('topN number')
    expect(kinds).toContain('returnDocuments boolean')
    expect(kinds).toContain('model choice')
    expect(kinds).toContain('file file')
    expect(kinds).toContain('files files')
    expect(kinds).toContain('messages mixed')
    expect(kinds).toContain('urls json')
    expect(kinds).toContain('retrieval.knowledgeIds lines')
  })

  test('omits empty fields and requires mandatory ones', () => {
    expect(inputFor('rerank.create', { query: ' ' })).toEqual({
      problems: { query: 'required', documents: 'required' },
    })
    expect(inputFor('rerank.create', { query: 'q', documents: 'a\n\nb\n', topN: '2' })).toEqual({
      input: { query: 'q', documents: ['a', 'b'], topN: 2 },
    })
    expect(
      inputFor('rerank.create', { query: 'q', documents: '["two\\nlines","b"]', topN: '1.5' }),
    ).toEqual({ problems: { topN: 'whole' } })
    expect(inputFor('rerank.create', { query: 'q', documents: 'a', topN: 'two' })).toEqual({
      problems: { topN: 'number' },
    })
  })

  test('converts values to their types: numeric choices, booleans, decimal commas', () => {
    expect(
      inputFor('knowledge.create', { name: 'n', embeddingId: '11', contextual: 'true' }),
    ).toEqual({ input: { name: 'n', embeddingId: 11, contextual: true } })
    expect(inputFor('speech.create', { input: 'hi', voice: 'v', speed: '1,5' })).toEqual({
      input: { input: 'hi', voice: 'v', speed: 1.5 },
    })
  })

  test('builds an object of known shape from its fields, and omits it when empty', () => {
    expect(
      inputFor('agents.chat', {
        messages: 'why?\nand how?',
        'retrieval.knowledgeIds': 'k1\nk2',
        'retrieval.topK': '3',
      }),
    ).toEqual({
      input: {
        messages: ['why?\nand how?'],
        retrieval: { knowledgeIds: ['k1', 'k2'], topK: 3 },
      },
    })
    const result = inputFor('assistants.chat', { assistantId: 'a', messages: 'hello' })
    expect(result).toEqual({ input: { assistantId: 'a', messages: ['hello'] } })
  })

  test('accepts JSON where JSON is expected, and reports invalid JSON', () => {
    const good = { knowledgeId: 'k', urls: '[{"url":"https://a.example","knowledgeType":1}]' }
    expect(inputFor('documents.uploadUrls', good)).toEqual({
      input: { knowledgeId: 'k', urls: [{ url: 'https://a.example', knowledgeType: 1 }] },
    })
    expect(inputFor('documents.uploadUrls', { knowledgeId: 'k', urls: '{' })).toEqual({
      problems: { urls: 'json' },
    })
    expect(inputFor('documents.uploadUrls', { knowledgeId: 'k', urls: '{}' })).toEqual({
      problems: { urls: 'list' },
    })
    expect(inputFor('responses.create', { model: 'm', input: '42' })).toEqual({
      input: { model: 'm', input: '42' },
    })
  })

  test('names files by their media IDs', () => {
    const file = { mediaId: 'm1', name: 'a.pdf' }
    expect(inputFor('layout.parse', { file: [file] })).toEqual({ input: { file: 'm1' } })
    expect(
      inputFor('documents.upload', {
        knowledgeId: 'k',
        knowledgeType: '1',
        files: [file, { mediaId: 'm2', name: 'b.pdf' }],
      }),
    ).toEqual({ input: { knowledgeId: 'k', knowledgeType: 1, files: ['m1', 'm2'] } })
  })

  test('restores the input of an earlier run', () => {
    const inputs = {
      'rerank.create': {
        query: 'q',
        documents: ['one\ntwo', 'b'],
        topN: 0,
        returnDocuments: false,
      },
      'agents.chat': {
        messages: [{ role: 'user', content: 'x' }],
        retrieval: { knowledgeIds: ['k'], similarityThreshold: 0.5 },
        images: ['m1'],
      },
      'knowledge.create': { name: 'n', embeddingId: 12 },
      'tasks.create': { kind: 'chat', model: 'm', body: { messages: [] } },
    } as const
    for (const [name, input] of Object.entries(inputs)) {
      const fields = formOf(name as keyof typeof inputs)
      const draft = draftOf(fields, input, (id) => id)
      expect([name, inputOf(fields, draft)]).toEqual([name, { input }])
    }
  })

  test('finds the field that an error names, also by a part of its name', () => {
    const fields = formOf('agents.chat')
    expect(fieldNamed(fields, 'maxSteps')?.path).toBe('maxSteps')
    expect(fieldNamed(fields, 'retrieval.knowledgeIds.0')?.path).toBe('retrieval.knowledgeIds')
    expect(fieldNamed(fields, 'input')).toBeUndefined()
    expect(fieldNamed(fields, undefined)).toBeUndefined()
  })
})

test('has a text for every operation and family in both languages; English ones match main', () => {
  const sentence = (words: object, name: string): unknown =>
    name.split('.').reduce<unknown>((node, part) => Reflect.get(Object(node), part), words)
  for (const [name, { summary }] of Object.entries(operations)) {
    expect([name, sentence(en.playground.ops, name)]).toEqual([name, summary])
    expect([name, typeof sentence(zh.playground.ops, name)]).toEqual([name, 'string'])
    const [family = ''] = name.split('.')
    expect([family, Object.keys(en.playground.families).includes(family)]).toEqual([family, true])
  }
})

test('accepts only a JSON object as the body of a task', () => {
  expect(bodyOf('{"prompt":"a boat"}')).toEqual({ prompt: 'a boat' })
  for (const typed of ['', '[]', 'null', '"x"', '{'])
    expect([typed, bodyOf(typed)]).toEqual([typed, null])
  expect(taskBody('chat', ' Why? ', '{"temperature":0}')).toEqual({
    body: { messages: [{ role: 'user', content: 'Why?' }], temperature: 0 },
  })
  expect(taskBody('video', 'a boat', '')).toEqual({ body: { prompt: 'a boat' } })
  expect(taskBody('image', '', '{"prompt":"a boat"}')).toEqual({ body: { prompt: 'a boat' } })
  expect(taskBody('chat', '', '{}')).toEqual({ problem: 'asked' })
  expect(taskBody('chat', 'Why?', '{"messages":[]}')).toEqual({ problem: 'twice' })
  expect(taskBody('chat', 'Why?', '[]')).toEqual({ problem: 'object' })
})

test('offers model IDs as spelled by the account’s provider, and invents none', () => {
  const here = { id: localAccountId, profile: presets.local }
  const there = { id: 'a', profile: presets.zai }
  expect(offeredModels('chat', here)).toContain('gen-5v-turbo')
  expect(offeredModels('image', here)).toEqual(['gen-image'])
  expect(offeredModels('chat', there)).toContain('glm-4-assistant')
  expect(offeredModels('video', there)).toEqual([])
  const own = { ...there, profile: { ...presets.zai, modelIds: { 'gen-5': 'mine', x: 'mine-2' } } }
  expect(offeredModels('video', own)).toEqual(['mine', 'mine-2'])
})
