import { Failure } from '@postern/protocol/failure'

export function httpStatusOf(thrown: unknown): number | null {
  const data: unknown = thrown instanceof Failure ? thrown.data : null
  return typeof data === 'object' && data !== null && 'status' in data && typeof data.status === 'number'
    ? data.status
    : null
}
