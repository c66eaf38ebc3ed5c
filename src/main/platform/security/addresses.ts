import { BlockList, isIP } from 'node:net'

/** IPv4 ranges that are not public hosts, with the reason each is reserved. */
const reservedV4: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'carrier-grade NAT'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local, cloud metadata'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, '6to4 relays'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved, broadcast'],
]

/**
 * Parts of 2000::/3 (the only public IPv6 space) that are not regular hosts. Everything outside of it is refused: loopback,
 * ULA, link-local, multicast, v4-mapped, v4-compatible and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const reservedV6: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['2001::', 23, 'protocol assignments, Teredo'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4: carries an IPv4 address'],
  ['3fff::', 20, 'documentation'],
]

const refusedV4 = new BlockList()
for (const [network, prefix] of reservedV4) refusedV4.addSubnet(network, prefix, 'ipv4')
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
const refusedV6 = new BlockList()
for (const [network, prefix] of reservedV6) refusedV6.addSubnet(network, prefix, 'ipv6')

/**
 * Whether an address returned by a resolver is a public host: not this computer, not its network, not a tunnel into either.
 */
export function isPublicAddress(address: string): boolean {
  // A zone index (`fe80::1%eth0`) belongs only to link-local addresses.
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return !refusedV4.check(address, 'ipv4')
    case 6:
      // Checked before the list, which would apply IPv4 rules to a v4-mapped address.
      return (
        !/^[\s:0]*:ffff:/i.test(address) &&
        publicV6.check(address, 'ipv6') &&
        !refusedV6.check(address, 'ipv6')
      )
    default:
      return false
  }
}
