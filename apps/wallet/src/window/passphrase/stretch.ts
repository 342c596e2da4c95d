import { proxy, releaseProxy, wrap } from 'comlink'
import { startWorker } from '../../keys/trusted-worker'
import type { Stretch } from './passphrase'
import type { StretchWork } from './stretch-worker'
import workerAddress from './stretch-worker?worker&url'

export const stretchInWorker: Stretch = async (given, onProgress) => {
  const thread = startWorker(workerAddress, 'postern-stretch')
  const remote = wrap<StretchWork>(thread)
  try {
    const broken = new Promise<never>((_resolve, reject) =>
      thread.addEventListener('error', () => reject(new Error('The worker has stopped'))),
    )
    return await Promise.race([remote.stretch(given, proxy(onProgress)), broken])
  } finally {
    remote[releaseProxy]()
    thread.terminate()
  }
}
