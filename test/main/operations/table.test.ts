import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputFields } from '../../../src/main/operations/describe.ts'
import { operationOf, operations, type OperationName } from '../../../src/main/operations/index.ts'
import { parseInput, type OperationContext } from '../../../src/main/operations/operation.ts'
import { expectedNames, goodInputs } from './inputs.ts'

const names = Object.keys(operations) as OperationName[]

test('the table contains every operation of the provider and no other', () => {
  expect(names.toSorted()).toEqual(expectedNames.toSorted())
})

test('every operation has a one-sentence description, and the section that documents it', () => {
  for (const name of names) {
    const { summary, spec } = operations[name]
    expect(summary, name).toMatch(/^[A-Z](?:(?!\. ).)*\.$/)
    expect(spec, name).toMatch(/^\d+(, \d+)*$/)
  }
})

test('finds nothing for invalid names', () => {
  for (const name of ['', 'rerank', '__proto__', 'constructor', 'toString', 'rerank.create '])
    expect(operationOf(name)).toBeUndefined()
})

test('file fields exist, and contain references', () => {
  for (const name of names) {
    const { takes } = operations[name]
    const fields = inputFields(operations[name])
    for (const field of takes)
      expect(
        fields.find((each) => each.name === field),
        `${name} ${field}`,
      ).toMatchObject({
        type: 'text',
        file: true,
      })
  }
})

test('marks requests that create something, and no others', () => {
  expect(names.filter((name) => operations[name].creates).toSorted()).toEqual(
    [
      'responses.create',
      'voices.clone',
      'files.upload',
      'slides.talk',
      'knowledge.create',
      'documents.upload',
      'documents.uploadUrls',
      // Each request starts the work again, and is billed again.
      'documents.embed',
      'tasks.create',
    ].toSorted(),
  )
})

/** A context that must not be used: invalid input is refused before anything is done. */
const untouchable = new Proxy({} as OperationContext, {
  get() {
    throw new Error('the context was used')
  },
})

test.each(names)('%s refuses invalid input before it does anything', async (name) => {
  const operation = operations[name]
  const good = goodInputs[name]
  expect(() => parseInput(operation.input, good)).not.toThrow()
  // One unknown field, including prototype keys.
  for (const key of ['nonsense', 'apiKey', 'constructor'])
    await expect(operation.run(untouchable, { ...good, [key]: 1 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  // Each required field omitted.
  for (const field of inputFields(operation).filter((each) => each.required)) {
    const { [field.name]: _, ...rest } = good
    await expect(operation.run(untouchable, rest), field.name).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      params: { what: field.name },
    })
  }
  // Each field with a value of another type.
  for (const field of inputFields(operation)) {
    const wrong = field.list || field.type === 'text' || field.type === 'text or JSON' ? 7 : 'text'
    await expect(
      operation.run(untouchable, { ...good, [field.name]: wrong }),
      field.name,
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  }
  await fc.assert(
    fc.asyncProperty(fc.anything({ maxDepth: 3 }), async (junk) => {
      if (typeof junk === 'object' && junk !== null && Object.keys(junk).length === 0) return
      await expect(operation.run(untouchable, junk)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }),
    { seed: 11, numRuns: 20 },
  )
})

test('a refusal names the field, and never repeats the value', async () => {
  const canary = 'canary-key-0123456789'
  const refusal = operations['rerank.create']
    .run(untouchable, { query: 'x', documents: ['y'], [canary]: canary })
    .catch((error: unknown) => error)
  expect(JSON.stringify(await refusal) + String(await refusal)).not.toContain(canary)
})
