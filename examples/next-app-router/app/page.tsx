import { requireSession } from '@postern/siwx/server'
import { headers } from 'next/headers'
import { cookie, sessions } from './siwx'
import { Wallet } from './Wallet'

/** The address that the server has proof of; null without a session. */
async function signedInAddress(): Promise<string | null> {
  const request = new Request('http://localhost/', { headers: await headers() })
  try {
    const { sessions: signedIn } = await requireSession(request, { sessions, cookie })
    return signedIn[0]?.address ?? null
  } catch (refusal) {
    if (refusal instanceof Response) return null
    throw refusal
  }
}

export default async function Page() {
  const address = await signedInAddress()
  return (
    <main>
      <h1>Next.js</h1>
      <Wallet />
      <p>{address === null ? 'The server does not know you.' : `The server knows you as ${address}.`}</p>
    </main>
  )
}
