import { cookieOf } from '../server/initial-state'
import type { Postern } from '../types/index'

/** For `initialStateFrom`. Returns a stop function. */
export function keepCookie(projectId: string, { getSnapshot, subscribe }: Postern): () => void {
  const write = () => Reflect.set(document, 'cookie', cookieOf(projectId, getSnapshot()))
  write()
  return subscribe(write)
}
