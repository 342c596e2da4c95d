import { Identicon } from '@postern/ui/identicon'
import { useState } from 'react'
import { useSnapshot } from '../../view-kit/host-context'
import styles from './avatar.module.css'
import { useIdentity } from './use-identity'

/** The dapp's picture, else the name's, else one drawn from the address. */
export function Avatar({ address }: { readonly address: string }) {
  const identity = useIdentity(address)
  const dappAvatar = useSnapshot((snapshot) => snapshot.brand.avatar)
  const avatar = dappAvatar ?? identity.avatar
  const [failed, setFailed] = useState<string | null>(null)
  if (avatar === null || avatar === failed) return <Identicon address={address} />
  return (
    <img
      className={styles.avatar}
      src={avatar}
      alt=""
      decoding="async"
      draggable={false}
      onError={() => setFailed(avatar)}
    />
  )
}
