// What other domains use of this one.

export type { DocumentsService } from './service/document-service-types.ts'
export { createGivenTexts, type GivenTexts } from './service/item-texts.ts'
export type { Handover } from './service/send-to/send-to.ts'
