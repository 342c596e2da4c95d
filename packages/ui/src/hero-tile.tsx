import type { ReactNode } from 'react'
import styles from './hero-tile.module.css'

/** The ground of a mark or an icon that is as large as a wallet's picture. */
export function HeroTile({ children }: { readonly children: ReactNode }) {
  return <span className={styles.tile}>{children}</span>
}
