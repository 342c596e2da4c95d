/** A dapp with the oldest supported versions of TypeScript and React. `npm run package` compiles it. */
import { createPostern, type Hex, PosternError } from '@postern/client'
import '@postern/client/elements'
import { PosternProvider, usePostern } from '@postern/client/react'

const options = { projectId: 'demo', host: 'https://modal.example.com', networks: ['ethereum', 'base'] }
export const postern = createPostern(options)

export async function sign(): Promise<Hex> {
  const [address] = await postern.eip155.request({ method: 'eth_requestAccounts' })
  if (address === undefined) throw new Error('No account')
  return postern.eip155.request({ method: 'personal_sign', params: ['0x48656c6c6f', address] })
}

export function isRejection(error: unknown): boolean {
  return error instanceof PosternError && error.code === 'USER_REJECTED'
}

export function App() {
  return (
    <PosternProvider options={options}>
      <Wallet />
    </PosternProvider>
  )
}

function Wallet() {
  const { postern, snapshot } = usePostern()
  const { eip155 } = snapshot.connections
  const account: Hex | undefined = eip155?.status === 'connected' ? eip155.accounts[0]?.address : undefined
  return (
    <button type="button" onClick={() => postern.open()}>
      {account ?? 'Connect wallet'}
    </button>
  )
}
