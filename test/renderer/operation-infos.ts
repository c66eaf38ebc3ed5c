import { operationInfo } from '../../src/main/operations/describe.ts'
import { operations } from '../../src/main/operations/index.ts'
import type { OperationInfo } from '../../src/shared/model/operation.ts'

/** Returns every operation as main describes it to the page. */
export const describeOperations = (): readonly OperationInfo[] =>
  Object.entries(operations).map(([name, operation]) => operationInfo(name, operation))
