import type { ReactNode } from 'react'
import styles from './hero-tile.module.css'

export function HeroTile({ children }: { readonly children: ReactNode }) {
  return <span className={styles.tile}>{children}</span>
}
