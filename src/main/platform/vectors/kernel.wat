;; What takes the time of a vector search: the dot products of one query with all codes. 128-bit SIMD, which every engine since 2021 has.
;; kernel.ts holds this module assembled; test/main/vectors/kernel.test.ts assembles it anew and compares.
(module
  (import "lectern" "memory" (memory 1))

  ;; Dot products of `count` codes with a query.
  ;; codes: address of the first code; codes of `bytes` 8-bit numbers lie one behind the other, `bytes` a multiple of 16
  ;; query: address of the query, as many 16-bit numbers
  ;; dots:  address of the results, 32-bit whole numbers
  (func (export "dots")
    (param $codes i32) (param $count i32) (param $bytes i32) (param $query i32) (param $dots i32)
    (local $end i32) (local $at i32) (local $low v128) (local $high v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $code
      (local.set $end (i32.add (local.get $codes) (local.get $bytes)))
      (local.set $at (local.get $query))
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      ;; Sixteen numbers a turn, in two sums that do not wait for each other.
      (loop $piece
        (local.set $low
          (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $codes)) (v128.load (local.get $at)))))
        (local.set $high
          (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $codes)) (v128.load offset=16 (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (local.set $codes (i32.add (local.get $codes) (i32.const 16)))
        (br_if $piece (i32.lt_u (local.get $codes) (local.get $end))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (i32.store (local.get $dots)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
          (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
      (local.set $dots (i32.add (local.get $dots) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $code (local.get $count)))))
