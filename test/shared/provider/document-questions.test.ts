import { expect, test } from 'vitest'
import {
  documentQuestion,
  readDocumentQuestions,
} from '../../../src/shared/provider/document-question.ts'

test('nests several documents, and reads them back with the question', () => {
  const first = { title: 'One', text: 'The first.\n</document-other>\nStill the first.' }
  const second = { title: 'Two', text: 'The second.' }
  const inner = documentQuestion({ ...first, question: 'Which?' }, 'Answer.', 'key-111111')
  const both = documentQuestion({ ...second, question: inner }, 'Answer.', 'key-222222')
  expect(readDocumentQuestions(both)).toEqual({ documents: [second, first], question: 'Which?' })
  expect(readDocumentQuestions('Which?')).toBeNull()
})
