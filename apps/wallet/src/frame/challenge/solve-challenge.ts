import { wrap } from 'comlink'
import type { SolveChallenge } from '../../account/with-challenge'
import { startWorker } from '../../keys/trusted-worker'
import type { ChallengeWork } from './challenge-worker'
import workerAddress from './challenge-worker?worker&url'

export const solveInWorker: SolveChallenge = async (challenge, signal) => {
  signal.throwIfAborted()
  const thread = startWorker(workerAddress, 'postern-challenge')
  try {
    const ended = new Promise<never>((_resolve, reject) => {
      thread.addEventListener('error', () => reject(new Error('The worker has stopped')))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return await Promise.race([wrap<ChallengeWork>(thread).solve(challenge), ended])
  } finally {
    thread.terminate()
  }
}
