import { pathToFileURL } from 'node:url'

/** Whether the script is the one that node was started with, not an import. */
export const isMain = (/** @type {string} */ url) =>
  url === pathToFileURL(process.argv[1] ?? '').href
