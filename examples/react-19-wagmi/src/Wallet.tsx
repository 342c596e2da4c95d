import { useConnect, useConnection, useConnectors, useDisconnect, useSignMessage } from 'wagmi'

export function Wallet() {
  const { address, isConnected } = useConnection()
  const [connector] = useConnectors()
  const connect = useConnect()
  const disconnect = useDisconnect()
  const sign = useSignMessage()

  if (!isConnected || address === undefined)
    return (
      <button type="button" onClick={() => connector && connect.mutate({ connector })}>
        Connect
      </button>
    )
  return (
    <section>
      <p>{address}</p>
      <button type="button" onClick={() => sign.mutate({ message: 'Hello' })}>
        Sign a message
      </button>
      <output>{sign.data ?? sign.error?.message}</output>
      <button type="button" onClick={() => disconnect.mutate()}>
        Disconnect
      </button>
    </section>
  )
}
