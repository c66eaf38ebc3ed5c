import type { ExternalUrl } from '../security/external-url.ts'
import type { Language } from './language.ts'

/** A question to the user: its words, and which button means yes. */
export interface Question {
  readonly message: string
  readonly detail: string
  readonly buttons: readonly [cancel: string, yes: string]
}

/** Asks before a link leaves for the system's browser: the whole host is shown, since that is what can be judged. */
export function linkQuestion(
  link: Extract<ExternalUrl, { ok: true }>,
  language: Language,
): Question {
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

/** Asks before a window goes that records: without it, no sound comes any more. */
export function closeQuestion(language: Language): Question {
  return language === 'zh-CN'
    ? {
        message: '正在录音，要关闭窗口吗？',
        detail: '录音会在此结束，到目前为止的内容已保存。',
        buttons: ['继续录音', '结束并关闭'],
      }
    : {
        message: 'Close the window while it records?',
        detail: 'The recording ends here. Everything until now is kept.',
        buttons: ['Keep Recording', 'End and Close'],
      }
}

/** Said when the data folder is held by another Lectern that is no window. */
export function inUse(language: Language, home: string): { title: string; content: string } {
  return language === 'zh-CN'
    ? {
        title: 'Lectern 已在运行',
        content: `另一个 Lectern（在浏览器中）正在使用此数据文件夹。请先将其关闭。\n\n${home}`,
      }
    : {
        title: 'Lectern is already running',
        content: `Another Lectern, open in a browser, uses this data folder. Close that one first.\n\n${home}`,
      }
}

/** Said when the app could not be built. */
export function cannotStart(
  language: Language,
  error: unknown,
): { title: string; content: string } {
  const reason = error instanceof Error ? error.message : String(error)
  return language === 'zh-CN'
    ? { title: 'Lectern 无法启动', content: `您的数据未被更改。\n\n${reason}` }
    : { title: 'Lectern could not start', content: `Your data were not changed.\n\n${reason}` }
}

/** Said when files that were opened with Lectern could not be taken in. */
export function notTaken(
  language: Language,
  names: readonly string[],
): { title: string; content: string } {
  const list = names.join('\n')
  return language === 'zh-CN'
    ? { title: '有文件未能导入', content: `请检查其是否为可播放的 WAV 或 MP3 文件：\n\n${list}` }
    : {
        title: 'Some files were not taken in',
        content: `Please check that they are WAV or MP3 files that play:\n\n${list}`,
      }
}
