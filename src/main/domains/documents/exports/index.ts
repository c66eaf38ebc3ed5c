// What other domains use of this one's exports.

export { markupOf } from './html-markup.ts'
