import type { ReactNode } from 'react'
import type { Product } from '../products'
import styles from './drawing.module.css'

const shapes: Readonly<Record<Product['id'], ReactNode>> = {
  key: (
    <>
      <circle cx="25" cy="36" r="12" />
      <circle cx="25" cy="36" r="4" />
      <path d="M37 36h25M56 36v8M48 36v6" />
    </>
  ),
  knocker: (
    <>
      <circle cx="36" cy="22" r="9" />
      <path d="M31 27a16 18 0 1 0 10 0" />
      <circle cx="36" cy="58" r="4" />
    </>
  ),
  lantern: (
    <>
      <path d="M36 10v6M25 26h22l-5-10H30zM27 26l3 28h12l3-28M26 58h20" />
      <path d="M36 50c-4-4-4-8 0-14 4 6 4 10 0 14z" />
    </>
  ),
}

export function Drawing({ of }: { readonly of: Product['id'] }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 72 72" aria-hidden="true">
      {shapes[of]}
    </svg>
  )
}
