import { writeExport, type ExportRequest } from '../exports/write.ts'
import { serve } from './serve.ts'

/** Writes meetings into files: a long transcript takes a second, a Word document more. */
serve((request: ExportRequest) => writeExport(request))
