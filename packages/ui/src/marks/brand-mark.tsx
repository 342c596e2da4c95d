import { classNames } from '../class-names'
import styles from './brand-mark.module.css'

/** Official logos (package simple-icons), in the text's colour. */
export type Brand = 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord' | 'farcaster'

export function BrandMark({ brand, large = false }: { readonly brand: Brand; readonly large?: boolean }) {
  return <span className={classNames(styles.mark, styles[brand], large && styles.large)} aria-hidden="true" />
}
