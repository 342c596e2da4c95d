import { usePostern } from '@postern/client/react'
import { formatMessage, serverSessions } from '@postern/siwx'
import { useQuery } from '@tanstack/react-query'
import { isHex, toHex } from 'viem'
import type { ShopAccount } from '../account'
import { Action } from '../parts/Action'

/** On this shop's own server, in a cookie that no script can read. */
const sessions = serverSessions({ url: '/siwx' })

export function SignIn({ account: { address, networkId } }: { readonly account: ShopAccount }) {
  const { postern } = usePostern()
  const { data } = useQuery({ queryKey: ['sessions', address], queryFn: () => sessions.all() })
  // Wallets spell one address in different cases.
  const isSignedIn = data?.some((session) => session.data.accountAddress.toLowerCase() === address.toLowerCase())

  async function signIn() {
    const data = {
      accountAddress: address,
      chainId: networkId,
      domain: window.location.host,
      uri: window.location.origin,
      version: '1',
      nonce: await sessions.nonce(),
      issuedAt: new Date().toISOString(),
      statement: 'Sign in to The Side Door.',
    }
    const message = formatMessage(data)
    const signature = await postern.eip155.request({ method: 'personal_sign', params: [toHex(message), address] })
    if (!isHex(signature)) throw new Error('The wallet returned no signature.')
    await sessions.add({ data, message, signature })
  }

  if (isSignedIn)
    return (
      <>
        <p>You are signed in. The server knows that this account is yours.</p>
        <Action key="out" tone="quiet" label="Sign out" run={() => sessions.set([])} />
      </>
    )
  return <Action key="in" label="Sign in" run={signIn} />
}
