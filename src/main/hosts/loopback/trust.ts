import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { ChosenCertificates, TrustHost, TrustQuestion } from '../../host.ts'
import { trustQuestion } from '../support/dialogs.ts'
import { languageOf, type Language } from '../../../shared/language.ts'
import { policyHeader, messageOnlyPolicy } from '../../platform/security/csp.ts'
import { largestCertificates } from '../../domains/settings/service/network/certificates.ts'
import { escapeText, messageHeaders, messagePage } from './trust-messages.ts'

/** Milliseconds after which an unanswered question expires. */
const questionLife = 5 * 60_000

/** Questions to the user in a browser tab that the app's page can neither read nor script. */
export interface TrustPages extends TrustHost {
  /** Serves a request to the origin of these pages; the caller has checked the origin. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}

interface TrustPrompt {
  readonly page: (language: Language) => string
  /** Processes a posted answer; false if it is invalid. */
  answer(form: FormData): Promise<boolean>
}

/**
 * Serves main's questions on the loopback host. Each has its own URL, which only the user's browser and terminal receive,
 * under an origin other than the app's page: that page cannot read, frame or post to it. `show` opens a URL for the user.
 */
export function createTrustPages(deps: {
  origin(): string
  show(url: string): Promise<void>
  /** Called when this URL is no longer valid. */
  onAnswered?(url: string): void
}): TrustPages {
  const open = new Map<string, TrustPrompt>()

  /** Shows a question; resolves to `otherwise` if it is not answered in time. */
  const put = async <T>(
    page: (language: Language) => string,
    read: (form: FormData) => Promise<{ readonly value: T } | null>,
    otherwise: T,
  ): Promise<T> => {
    const token = randomBytes(32).toString('base64url')
    const result = new Promise<T>((resolve) => {
      const timer = setTimeout(() => end(otherwise), questionLife)
      timer.unref()
      const end = (value: T): void => {
        clearTimeout(timer)
        open.delete(token)
        resolve(value)
      }
      open.set(token, {
        page,
        async answer(form) {
          const found = await read(form)
          if (found) end(found.value)
          return found !== null
        },
      })
    })
    const url = `${deps.origin()}/${token}`
    await deps.show(url)
    try {
      return await result
    } finally {
      deps.onAnswered?.(url)
    }
  }

  const send = (response: ServerResponse, status: number, page: string): void => {
    response.writeHead(status, {
      ...messageHeaders,
      // Without a referrer a browser sends a form with the origin `null`, which identifies nothing.
      'referrer-policy': 'same-origin',
      'content-security-policy': policyHeader({ ...messageOnlyPolicy, 'form-action': ["'self'"] }),
    })
    response.end(page)
  }

  return {
    confirm: (question: TrustQuestion) =>
      put<boolean>(
        (language) => {
          const { message, detail, buttons } = trustQuestion(question, language)
          return formPage(language, message, detail, buttons)
        },
        async (form) => ({ value: form.get('answer') === 'yes' }),
        false,
      ),
    chooseCertificates: () =>
      put<ChosenCertificates | null>(
        (language) => {
          const { message, detail, buttons } = chooseTexts[language]
          return formPage(language, message, detail, buttons, '<input type="file" name="file">')
        },
        async (form) => {
          if (form.get('answer') !== 'yes') return { value: null }
          const file = form.get('file')
          if (!(file instanceof File) || file.size === 0) return null
          return { value: { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) } }
        },
        null,
      ),
    async serve(request, response) {
      const language = languageOf(
        'system',
        /^[\w-]+/.exec(request.headers['accept-language'] ?? '')?.[0] ?? 'en',
      )
      const pending = open.get((request.url ?? '').slice(1))
      if (!pending) return send(response, 404, messagePage(doneTexts[language], []))
      if (request.method === 'GET') return send(response, 200, pending.page(language))
      const ownForm = request.method === 'POST' && request.headers.origin === deps.origin()
      const size = Number(request.headers['content-length'] ?? Number.NaN)
      if (!ownForm || !(size <= largestCertificates + 4096))
        return send(response, 403, messagePage(doneTexts[language], []))
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const form = await new Response(await buffer(request), { headers })
        .formData()
        .catch(() => new FormData())
      const isAccepted = await pending.answer(form)
      send(
        response,
        200,
        isAccepted ? messagePage(doneTexts[language], []) : pending.page(language),
      )
    },
  }
}

/**
 * Returns a question with its two buttons, without script. The first button, the default of Enter, changes nothing.
 */
function formPage(
  language: Language,
  message: string,
  detail: string,
  [cancel, yes]: readonly [string, string],
  field = '',
): string {
  const button = (value: string, text: string): string =>
    `<button name="answer" value="${value}">${escapeText(text)}</button>`
  return messagePage(
    escapeText(message),
    [
      ...detail.split('\n\n').map((part) => escapeText(part).replaceAll('\n', '<br>')),
      `<form method="post" enctype="multipart/form-data">${field && `<p>${field}</p>`}${button('no', cancel)} ${button('yes', yes)}</form>`,
    ],
    language,
  )
}

const chooseTexts = {
  en: {
    message: 'Choose a certificate file',
    detail:
      'Lectern copies the certificates and shows their fingerprints. You then decide whether to trust them.',
    buttons: ['Cancel', 'Continue'],
  },
  'zh-CN': {
    message: '选择证书文件',
    detail: 'Lectern 会复制文件中的证书并显示指纹，由你决定是否信任。',
    buttons: ['取消', '继续'],
  },
} as const

const doneTexts = {
  en: 'This request is answered or has expired. You can close this tab.',
  'zh-CN': '此请求已处理或已过期，可以关闭此标签页。',
} as const
