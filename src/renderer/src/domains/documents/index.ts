// What other domains use of this one.

export { default as PassageList } from './cited-sources/PassageList.vue'
export { default as SheetRow } from './cited-sources/SheetRow.vue'
export { default as SourceImages } from './cited-sources/SourceImages.vue'
export { default as SourceView } from './cited-sources/SourceView.vue'
export { useSourceLabels } from './cited-sources/use-source-labels.ts'
export { openPdf } from './pdf/open-pdf.ts'
export { fromQuery, type DocumentTransfer } from './send-to/send-to.ts'
export { useDocumentChoice } from './use-document-choice.ts'
