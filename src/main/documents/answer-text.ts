import type { DocumentAnswer, TextRequest } from './messages.ts'
import { compareBlocks } from './reading/compare.ts'
import { returnedDiffers } from './reading/merge.ts'
import { readReplyText } from './reading/reply.ts'

/** Answers requests for texts: the worker's side of `createDocumentTexts`. */
export function answerText(request: TextRequest): DocumentAnswer {
  switch (request.type) {
    case 'differs':
      return { type: 'differs', differs: returnedDiffers({ ...request, surplus: [] }) }
    case 'compare':
      return { type: 'changes', changes: compareBlocks(request.left, request.right) }
    case 'reply':
      return { type: 'reading', reply: readReplyText(request) }
  }
}
