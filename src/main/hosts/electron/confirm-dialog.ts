import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import type { ConfirmationText } from '../support/dialogs.ts'

/**
 * Returns the window for a dialog: the focused one, otherwise a visible one; a minimized window would hide its sheet.
 */
function dialogParent(): BrowserWindow | null {
  const isSeen = (window: BrowserWindow): boolean => window.isVisible() && !window.isMinimized()
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows().find(isSeen) ?? null
}

/** Shows a message box above its window; resolves with the index of the chosen button. */
export async function showMessage(
  options: MessageBoxOptions,
  parent: BrowserWindow | null = dialogParent(),
): Promise<number> {
  const { response } = await (parent
    ? dialog.showMessageBox(parent, options)
    : dialog.showMessageBox(options))
  return response
}

/**
 * Asks the user; returns true for yes. `safe`: Enter means no. `signal` dismisses the question, which means no.
 */
export async function ask(
  { message, detail, buttons }: ConfirmationText,
  how: { safe?: boolean; parent?: BrowserWindow | null; signal?: AbortSignal } = {},
): Promise<boolean> {
  const { safe = false, parent = dialogParent(), signal } = how
  const options = {
    message,
    detail,
    buttons: [...buttons],
    defaultId: safe ? 0 : 1,
    cancelId: 0,
    ...(signal && { signal }),
  }
  return (await showMessage({ type: 'question', ...options }, parent)) === 1
}
