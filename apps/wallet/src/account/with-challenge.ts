import type { EmailChallenge, EmailSolution } from '@postern/protocol'
import { GatewayError } from './gateway'

export type SolveChallenge = (challenge: EmailChallenge, signal: AbortSignal) => Promise<number>

/** Repeats the call once with the requested proof of work. */
export async function withChallenge<T>(
  send: (more: { readonly solution?: EmailSolution }) => Promise<T>,
  ask: () => Promise<EmailChallenge>,
  solve: SolveChallenge,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    if (!(error instanceof GatewayError) || error.failure !== 'CHALLENGE_REQUIRED') throw error
    const challenge = await ask()
    return send({ solution: { ...challenge, number: await solve(challenge, signal) } })
  }
}
