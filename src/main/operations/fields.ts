import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import type { ChatMessage, ContentPart } from '../provider-client/chat-messages.ts'
import type { OperationContext } from './operation.ts'

/** Maximum text length in characters; the client validates the provider's limits, since profiles widen them. */
const maxTextLength = 4_000_000

/** A non-empty text. */
export const text = (): z.ZodString => z.string().min(1).max(maxTextLength)

/** An ID assigned by the provider. */
export const id = (): z.ZodString => z.string().min(1).max(256)

/** A reference to a file: a path on the command line, a media ID in the app. */
export const file = (): z.ZodString => z.string().min(1).max(4096)

/** A count from 0. */
export const count = (): z.ZodInt => z.int().min(0)

/** A page number, from 1. */
export const page = (): z.ZodInt => z.int().min(1)

/** A JSON object of any content. */
export const json = () => z.record(z.string().max(256), z.unknown())

/** The end user a call is made for (service-notes 16). */
export const userId = () =>
  z
    .string()
    .max(10_000)
    .describe(`End-user ID, ${limits.userId.min}–${limits.userId.max} characters`)
    .exactOptional()

/** An input with a single ID, for operations that take nothing else. */
export const onlyId = (what: string) => z.strictObject({ id: id().describe(what) })

const part = z.union([
  z.strictObject({ type: z.literal('text'), text: text() }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: text() }),
  }),
])

/** Messages of a chat: texts, or messages of several parts. */
export const messages = () =>
  z
    .array(
      z.union([
        text(),
        z.strictObject({
          role: z.literal('user'),
          content: z.union([text(), z.array(part).min(1)]),
        }),
      ]),
    )
    .min(1)
    .describe('Text, or {"role":"user","content":…}')

/** Images of a chat message, as references to files. */
export const images = () =>
  z.array(file()).max(20).describe('Images for the last message').exactOptional()

/** Returns the messages as the client expects them; images become data URIs at the end of the last one. */
export async function toMessages(
  context: OperationContext,
  input: z.output<ReturnType<typeof messages>>,
  imageReferences: readonly string[] = [],
): Promise<readonly ChatMessage[]> {
  const chatMessages = input.map((message): ChatMessage =>
    typeof message === 'string' ? { role: 'user', content: message } : message,
  )
  const last = chatMessages.at(-1)
  if (!last || imageReferences.length === 0) return chatMessages
  const parts: ContentPart[] =
    typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : [...last.content]
  const { dataUris } = await import('./images.ts')
  for (const url of await dataUris(context, imageReferences))
    parts.push({ type: 'image_url', image_url: { url } })
  return [...chatMessages.slice(0, -1), { role: 'user', content: parts }]
}
