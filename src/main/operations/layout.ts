import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import type { LayoutSource } from '../provider-client/layout.ts'
import { AppError } from '../errors.ts'
import { file, page, userId } from './fields.ts'
import { callOptions, operation, type OperationContext } from './operation.ts'

const { imageBytes, pdfBytes, pages } = limits.layout

/** File types that document parsing accepts, by kind. */
const mimes = { pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg' } as const

/** Document parsing (service-notes 12). */
export const layout = {
  'layout.parse': operation(
    {
      spec: '12',
      summary: 'Parses a PDF or image into Markdown and blocks.',
      takes: ['file'],
    },
    z
      .strictObject({
        file: file()
          .describe(
            `PDF (up to ${pdfBytes} bytes, ${pages} pages); PNG or JPEG (up to ${imageBytes} bytes)`,
          )
          .exactOptional(),
        url: z.string().min(1).max(8192).describe('URL instead of a file').exactOptional(),
        startPage: page().describe('PDF only, from 1').exactOptional(),
        endPage: page().describe('PDF only, from 1').exactOptional(),
        cropImages: z.boolean().exactOptional(),
        visualisation: z.boolean().exactOptional(),
        userId: userId(),
      })
      .refine((input) => (input.file === undefined) !== (input.url === undefined), {
        message: 'Specify either a file or a URL',
        path: ['file'],
      }),
    async (context, { file: reference, url, ...input }) => {
      const source = url !== undefined ? { url } : await fromFile(context, reference ?? '')
      return context.api.layout.parse(context.target, { ...input, source }, callOptions(context))
    },
  ),
} as const

async function fromFile(context: OperationContext, reference: string): Promise<LayoutSource> {
  const document = await context.file(reference)
  const { kind, path, bytes, name } = document
  if (kind !== 'pdf' && kind !== 'png' && kind !== 'jpg')
    throw new AppError('UNSUPPORTED_FORMAT', 'Only PDF, PNG, and JPEG files can be parsed', {
      params: { kind, name },
    })
  const mime = mimes[kind]
  return { file: { path, bytes, name, mime }, mime, pages: await document.pages() }
}
