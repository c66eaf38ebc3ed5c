import type { TrustQuestion } from '../../host.ts'
import type { ExternalUrl } from '../../platform/security/external-url.ts'
import type { ErrorCode } from '../../../shared/contract/reply.ts'
import type { Language } from '../../../shared/language.ts'
import type { RefusedFile } from './opened-files.ts'

/** A question to the user: its texts, and the button that confirms it. */
export interface ConfirmationText {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly [cancel: string, yes: string]
}

/**
 * Returns the question before a link opens in the system's browser; it shows the full host, which the user can verify.
 */
export function linkQuestion(
  link: Extract<ExternalUrl, { ok: true }>,
  language: Language,
): ConfirmationText {
  return language === 'zh-CN'
    ? {
        message: `在浏览器中打开 ${link.show}？`,
        detail: link.url,
        buttons: ['取消', '打开'],
      }
    : {
        message: `Open ${link.show} in your browser?`,
        detail: link.url,
        buttons: ['Cancel', 'Open'],
      }
}

/** Returns the question before a change of where API keys are sent; it shows exactly what will be trusted. */
export function trustQuestion(question: TrustQuestion, language: Language): ConfirmationText {
  const texts = trustTexts[language]
  const { cancel } = texts
  if (question.kind === 'noCertificates')
    return { ...texts.noCertificates, buttons: [cancel, texts.noCertificates.yes] }
  if (question.kind === 'certificates') {
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
    const list = question.certificates.map(({ subject, sha256, validTo }) =>
      [subject, `SHA-256 ${sha256}`, texts.until(day.format(validTo))].join('\n'),
    )
    // A dialog larger than the screen has no reachable buttons; hidden certificates are counted.
    const rest = list.length - shownCertificates
    const shown = [...list.slice(0, shownCertificates), ...(rest > 0 ? [texts.more(rest)] : [])]
    return {
      message: texts.certificates.message,
      detail: [texts.certificates.detail, ...shown].join('\n\n'),
      buttons: [cancel, texts.certificates.yes],
    }
  }
  if (question.proxy === 'system' || question.proxy === 'none')
    return {
      message: question.proxy === 'system' ? texts.systemProxy : texts.noProxy,
      detail: texts.proxyDetail,
      buttons: [cancel, texts.change],
    }
  return {
    message: texts.proxy(question.proxy),
    detail: texts.proxyDetail,
    buttons: [cancel, texts.change],
  }
}

/** Number of certificates that a question shows in full. */
const shownCertificates = 4

const trustTexts = {
  en: {
    cancel: 'Cancel',
    change: 'Change',
    proxy: (url: string) => `Change the proxy to ${url}?`,
    systemProxy: 'Change to the system proxy?',
    noProxy: 'Change to a direct connection?',
    proxyDetail:
      'Requests to your provider include your API key. Continue only if you made this change in Settings.',
    certificates: {
      message: 'Trust these certificate authorities?',
      detail:
        'They can read your requests and your API key. Compare the fingerprints with those from your administrator.',
      yes: 'Trust',
    },
    noCertificates: {
      message: 'Remove the certificate authorities you added?',
      detail: 'Connections that need them fail until you add them again.',
      yes: 'Remove',
    },
    until: (day: string) => `Valid until ${day}`,
    more: (count: number) => `and ${count} more`,
  },
  'zh-CN': {
    cancel: '取消',
    change: '更改',
    proxy: (url: string) => `将代理更改为 ${url}？`,
    systemProxy: '更改为系统代理？',
    noProxy: '更改为直接连接，不使用代理？',
    proxyDetail:
      '发送给服务商的请求包含你的 API 密钥。如果这不是你本人在设置中所做的更改，请取消。',
    certificates: {
      message: '信任这些证书颁发机构？',
      detail: '这些机构可以读取你的请求和 API 密钥。请与管理员提供的指纹逐一核对。',
      yes: '信任',
    },
    noCertificates: {
      message: '移除你添加的证书颁发机构？',
      detail: '移除后，依赖这些机构的连接会失败，重新添加后即可恢复。',
      yes: '移除',
    },
    until: (day: string) => `有效期至 ${day}`,
    more: (count: number) => `另有 ${count} 个`,
  },
} as const

/** Action that ends a recording in a window or in the whole app. */
type RecordingEnd = 'quit' | 'close' | 'reload'

const recordingEnds = {
  en: {
    quit: ['Stop recording and quit Lectern?', 'Stop and Quit'],
    close: ['Stop recording and close the window?', 'Stop and Close'],
    reload: ['Stop recording and reload the window?', 'Stop and Reload'],
    detail: 'Everything recorded so far is saved.',
    cancel: 'Keep Recording',
  },
  'zh-CN': {
    quit: ['停止录音并退出 Lectern？', '停止并退出'],
    close: ['停止录音并关闭窗口？', '停止并关闭'],
    reload: ['停止录音并重新加载窗口？', '停止并重新加载'],
    detail: '已录制的内容会保存。',
    cancel: '继续录音',
  },
} as const

/** Returns the question before an action that ends a recording. */
export function recordingQuestion(action: RecordingEnd, language: Language): ConfirmationText {
  const texts = recordingEnds[language]
  const [message, yes] = texts[action]
  return { message, detail: texts.detail, buttons: [texts.cancel, yes] }
}

/** Returns the message if the data folder is locked by another Lectern without a window. */
export function inUse(language: Language, home: string): { title: string; content: string } {
  return language === 'zh-CN'
    ? {
        title: 'Lectern 已在运行',
        content: `在浏览器中运行的 Lectern 正在使用此数据文件夹。请先退出该程序。\n\n${home}`,
      }
    : {
        title: 'Lectern is already running',
        content: `Another copy of Lectern, running in a browser, uses this data folder. Quit it first.\n\n${home}`,
      }
}

/** Returns the message if the app could not be initialized. */
export function cannotStart(
  language: Language,
  error: unknown,
): { title: string; content: string } {
  const reason = error instanceof Error ? error.message : String(error)
  return language === 'zh-CN'
    ? { title: 'Lectern 无法启动', content: `没有丢失任何内容。\n\n${reason}` }
    : { title: 'Lectern couldn’t start', content: `Nothing was lost.\n\n${reason}` }
}

/** Returns the message if the core process ended several times in a row. */
export function coreGone(language: Language): { title: string; content: string } {
  return language === 'zh-CN'
    ? {
        title: 'Lectern 需要关闭',
        content: '后台进程多次意外退出。录音和文字已保存。请重新启动 Lectern。',
      }
    : {
        title: 'Lectern has to close',
        content:
          'Its background process quit unexpectedly several times. Your recordings and texts are saved. Start Lectern again.',
      }
}

/** Returns the message if the host process crashed. */
export function hostCrashed(
  language: Language,
  error: unknown,
): { title: string; content: string } {
  const reason = error instanceof Error ? error.message : String(error)
  return language === 'zh-CN'
    ? {
        title: 'Lectern 意外退出',
        content: `录音和文字已保存。请重新启动 Lectern。\n\n${reason}`,
      }
    : {
        title: 'Lectern closed unexpectedly',
        content: `Your recordings and texts are saved. Start Lectern again.\n\n${reason}`,
      }
}

/** Returns the question about a page that has not responded for a while. */
export function unresponsiveQuestion(language: Language): ConfirmationText {
  return language === 'zh-CN'
    ? {
        message: 'Lectern 没有响应',
        detail: '你可以继续等待，或重新加载窗口。后台任务不受影响。',
        buttons: ['等待', '重新加载'],
      }
    : {
        message: 'Lectern isn’t responding',
        detail: 'You can wait or reload the window. Background jobs continue.',
        buttons: ['Wait', 'Reload'],
      }
}

/** Returns the names of the file types in the Import Files dialog. */
export function importFilters(language: Language): {
  readonly all: string
  readonly audio: string
  readonly documents: string
} {
  return language === 'zh-CN'
    ? { all: '所有支持的文件', audio: '音频和视频', documents: '文档和图片' }
    : {
        all: 'All supported files',
        audio: 'Audio and video',
        documents: 'Documents and images',
      }
}

/** Message if opened zip files were not exported by Lectern. */
const notArchives = {
  en: {
    title: 'Not a Lectern archive',
    content:
      'Lectern can open only archives exported from Lectern. Check that you chose the right file:',
  },
  'zh-CN': {
    title: '不是 Lectern 资料库归档',
    content: 'Lectern 只能打开由 Lectern 导出的归档。请检查是否选对了文件：',
  },
} as const

/** Message if an archive was opened while another one is exported or imported. */
const archiveBusy = {
  en: {
    title: 'Another archive is being processed',
    content: 'Wait until it’s done, then open this file again:',
  },
  'zh-CN': {
    title: '正在处理另一个归档',
    content: '请等待处理完成，然后再次打开此文件：',
  },
} as const

/** Returns the message if files opened with Lectern could not be imported. */
export function importFailedMessage(
  language: Language,
  refused: readonly RefusedFile[],
): { title: string; content: string } {
  const list = refused.map(({ name }) => name).join('\n')
  const areAll = (code: ErrorCode): boolean => refused.every((file) => file.code === code)
  const known = areAll('ARCHIVE_REFUSED')
    ? notArchives
    : areAll('WORK_UNDER_WAY')
      ? archiveBusy
      : null
  if (known) {
    const { title, content } = known[language]
    return { title, content: `${content}\n\n${list}` }
  }
  return language === 'zh-CN'
    ? {
        title: '部分文件未能导入',
        content: `请检查文件是否完好、格式是否受支持：\n\n${list}`,
      }
    : {
        title: 'Some files couldn’t be imported',
        content: `Check that they aren’t damaged and that Lectern supports their format:\n\n${list}`,
      }
}
