import type { HostMethod, HostParams } from '@postern/protocol'
import type { PosternError } from '../shared/errors'
import type { Modal } from './contract'

export type VisitsOptions = {
  readonly request: Modal['request']
  readonly onStart: (id: number) => void
  readonly onEnd: (id: number) => void
}

export type Visits = {
  /** Shows the dialog until the request settles. */
  start<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown>
  reject(error: PosternError): void
}

export function createVisits({ request, onStart, onEnd }: VisitsOptions): Visits {
  const controllers = new Set<AbortController>()
  let lastId = 0

  return {
    async start(method, params, signal) {
      const id = ++lastId
      const controller = new AbortController()
      const forward = () => controller.abort(signal?.reason)
      if (signal?.aborted === true) forward()
      signal?.addEventListener('abort', forward)
      controllers.add(controller)
      try {
        const answer = request(method, params, controller.signal)
        if (!controller.signal.aborted) onStart(id)
        return await answer
      } finally {
        signal?.removeEventListener('abort', forward)
        controllers.delete(controller)
        onEnd(id)
      }
    },
    reject(error) {
      for (const controller of controllers) controller.abort(error)
    },
  }
}
