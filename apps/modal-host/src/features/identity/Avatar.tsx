import { Identicon } from '@postern/ui/identicon'
import { useState } from 'react'
import styles from './avatar.module.css'
import { useIdentity } from './use-identity'

export function Avatar({ address }: { readonly address: string }) {
  const { avatar } = useIdentity(address)
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
