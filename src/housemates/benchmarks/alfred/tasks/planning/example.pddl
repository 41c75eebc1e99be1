(define (problem put_a_hot_slice_of_bread_in_the_garbage_can)
  (:domain alfred)
  (:objects
    start - place
    garbagecan_p00-20_p00-00_p02-30 - place
    microwave_p02-52_p00-90_m01-18 - place
    cabinet_p02-47_p00-10_p00-56 - place
    countertop_p02-44_p00-90_p01-01 - place
    drawer_m01-00_p00-69_m02-19 - place
    drawer_p02-44_p00-52_p01-01 - place
    countertop_p00-52_p00-90_m02-19 - place
    diningtable_m01-42_p00-00_p00-21 - place
    shelf_p01-20_p01-10_p02-38 - place
    shelf_p01-20_p01-45_p02-38 - place
    bread_p02-50_p00-11_p00-52 - item
    butterknife_p02-27_p00-90_p00-55 - item
    butterknife_m00-95_p00-71_m02-00 - item
    knife_p02-39_p00-54_p01-01 - item
    knife_p02-17_p00-90_m02-34 - item
    bread_p02-50_p00-11_p00-52_piece_0 - item
    bread_p02-50_p00-11_p00-52_piece_1 - item
    class_bread - class
    class_breadsliced - class
    class_butterknife - class
    class_cabinet - class
    class_countertop - class
    class_diningtable - class
    class_drawer - class
    class_garbagecan - class
    class_knife - class
    class_microwave - class
    class_shelf - class
  )
  (:init
    (near start)
    (place-class garbagecan_p00-20_p00-00_p02-30 class_garbagecan)
    (place-class microwave_p02-52_p00-90_m01-18 class_microwave)
    (shuts microwave_p02-52_p00-90_m01-18)
    (heats microwave_p02-52_p00-90_m01-18)
    (place-class cabinet_p02-47_p00-10_p00-56 class_cabinet)
    (shuts cabinet_p02-47_p00-10_p00-56)
    (place-class countertop_p02-44_p00-90_p01-01 class_countertop)
    (place-class drawer_m01-00_p00-69_m02-19 class_drawer)
    (shuts drawer_m01-00_p00-69_m02-19)
    (place-class drawer_p02-44_p00-52_p01-01 class_drawer)
    (shuts drawer_p02-44_p00-52_p01-01)
    (place-class countertop_p00-52_p00-90_m02-19 class_countertop)
    (place-class diningtable_m01-42_p00-00_p00-21 class_diningtable)
    (place-class shelf_p01-20_p01-10_p02-38 class_shelf)
    (place-class shelf_p01-20_p01-45_p02-38 class_shelf)
    (item-class bread_p02-50_p00-11_p00-52 class_bread)
    (at bread_p02-50_p00-11_p00-52 cabinet_p02-47_p00-10_p00-56)
    (stays bread_p02-50_p00-11_p00-52)
    (takes garbagecan_p00-20_p00-00_p02-30 bread_p02-50_p00-11_p00-52)
    (takes microwave_p02-52_p00-90_m01-18 bread_p02-50_p00-11_p00-52)
    (takes cabinet_p02-47_p00-10_p00-56 bread_p02-50_p00-11_p00-52)
    (takes countertop_p02-44_p00-90_p01-01 bread_p02-50_p00-11_p00-52)
    (takes drawer_m01-00_p00-69_m02-19 bread_p02-50_p00-11_p00-52)
    (takes drawer_p02-44_p00-52_p01-01 bread_p02-50_p00-11_p00-52)
    (takes countertop_p00-52_p00-90_m02-19 bread_p02-50_p00-11_p00-52)
    (takes diningtable_m01-42_p00-00_p00-21 bread_p02-50_p00-11_p00-52)
    (takes shelf_p01-20_p01-10_p02-38 bread_p02-50_p00-11_p00-52)
    (takes shelf_p01-20_p01-45_p02-38 bread_p02-50_p00-11_p00-52)
    (item-class butterknife_p02-27_p00-90_p00-55 class_butterknife)
    (at butterknife_p02-27_p00-90_p00-55 countertop_p02-44_p00-90_p01-01)
    (knife butterknife_p02-27_p00-90_p00-55)
    (takes garbagecan_p00-20_p00-00_p02-30 butterknife_p02-27_p00-90_p00-55)
    (takes microwave_p02-52_p00-90_m01-18 butterknife_p02-27_p00-90_p00-55)
    (takes cabinet_p02-47_p00-10_p00-56 butterknife_p02-27_p00-90_p00-55)
    (takes countertop_p02-44_p00-90_p01-01 butterknife_p02-27_p00-90_p00-55)
    (takes drawer_m01-00_p00-69_m02-19 butterknife_p02-27_p00-90_p00-55)
    (takes drawer_p02-44_p00-52_p01-01 butterknife_p02-27_p00-90_p00-55)
    (takes countertop_p00-52_p00-90_m02-19 butterknife_p02-27_p00-90_p00-55)
    (takes diningtable_m01-42_p00-00_p00-21 butterknife_p02-27_p00-90_p00-55)
    (takes shelf_p01-20_p01-10_p02-38 butterknife_p02-27_p00-90_p00-55)
    (takes shelf_p01-20_p01-45_p02-38 butterknife_p02-27_p00-90_p00-55)
    (item-class butterknife_m00-95_p00-71_m02-00 class_butterknife)
    (at butterknife_m00-95_p00-71_m02-00 drawer_m01-00_p00-69_m02-19)
    (knife butterknife_m00-95_p00-71_m02-00)
    (takes garbagecan_p00-20_p00-00_p02-30 butterknife_m00-95_p00-71_m02-00)
    (takes microwave_p02-52_p00-90_m01-18 butterknife_m00-95_p00-71_m02-00)
    (takes cabinet_p02-47_p00-10_p00-56 butterknife_m00-95_p00-71_m02-00)
    (takes countertop_p02-44_p00-90_p01-01 butterknife_m00-95_p00-71_m02-00)
    (takes drawer_m01-00_p00-69_m02-19 butterknife_m00-95_p00-71_m02-00)
    (takes drawer_p02-44_p00-52_p01-01 butterknife_m00-95_p00-71_m02-00)
    (takes countertop_p00-52_p00-90_m02-19 butterknife_m00-95_p00-71_m02-00)
    (takes diningtable_m01-42_p00-00_p00-21 butterknife_m00-95_p00-71_m02-00)
    (takes shelf_p01-20_p01-10_p02-38 butterknife_m00-95_p00-71_m02-00)
    (takes shelf_p01-20_p01-45_p02-38 butterknife_m00-95_p00-71_m02-00)
    (item-class knife_p02-39_p00-54_p01-01 class_knife)
    (at knife_p02-39_p00-54_p01-01 drawer_p02-44_p00-52_p01-01)
    (knife knife_p02-39_p00-54_p01-01)
    (takes garbagecan_p00-20_p00-00_p02-30 knife_p02-39_p00-54_p01-01)
    (takes microwave_p02-52_p00-90_m01-18 knife_p02-39_p00-54_p01-01)
    (takes cabinet_p02-47_p00-10_p00-56 knife_p02-39_p00-54_p01-01)
    (takes countertop_p02-44_p00-90_p01-01 knife_p02-39_p00-54_p01-01)
    (takes drawer_m01-00_p00-69_m02-19 knife_p02-39_p00-54_p01-01)
    (takes drawer_p02-44_p00-52_p01-01 knife_p02-39_p00-54_p01-01)
    (takes countertop_p00-52_p00-90_m02-19 knife_p02-39_p00-54_p01-01)
    (takes diningtable_m01-42_p00-00_p00-21 knife_p02-39_p00-54_p01-01)
    (takes shelf_p01-20_p01-10_p02-38 knife_p02-39_p00-54_p01-01)
    (takes shelf_p01-20_p01-45_p02-38 knife_p02-39_p00-54_p01-01)
    (item-class knife_p02-17_p00-90_m02-34 class_knife)
    (at knife_p02-17_p00-90_m02-34 countertop_p00-52_p00-90_m02-19)
    (knife knife_p02-17_p00-90_m02-34)
    (takes garbagecan_p00-20_p00-00_p02-30 knife_p02-17_p00-90_m02-34)
    (takes microwave_p02-52_p00-90_m01-18 knife_p02-17_p00-90_m02-34)
    (takes cabinet_p02-47_p00-10_p00-56 knife_p02-17_p00-90_m02-34)
    (takes countertop_p02-44_p00-90_p01-01 knife_p02-17_p00-90_m02-34)
    (takes drawer_m01-00_p00-69_m02-19 knife_p02-17_p00-90_m02-34)
    (takes drawer_p02-44_p00-52_p01-01 knife_p02-17_p00-90_m02-34)
    (takes countertop_p00-52_p00-90_m02-19 knife_p02-17_p00-90_m02-34)
    (takes diningtable_m01-42_p00-00_p00-21 knife_p02-17_p00-90_m02-34)
    (takes shelf_p01-20_p01-10_p02-38 knife_p02-17_p00-90_m02-34)
    (takes shelf_p01-20_p01-45_p02-38 knife_p02-17_p00-90_m02-34)
    (hand-empty)
    (pieces bread_p02-50_p00-11_p00-52 bread_p02-50_p00-11_p00-52_piece_0 bread_p02-50_p00-11_p00-52_piece_1)
    (item-class bread_p02-50_p00-11_p00-52_piece_0 class_breadsliced)
    (takes garbagecan_p00-20_p00-00_p02-30 bread_p02-50_p00-11_p00-52_piece_0)
    (takes microwave_p02-52_p00-90_m01-18 bread_p02-50_p00-11_p00-52_piece_0)
    (takes cabinet_p02-47_p00-10_p00-56 bread_p02-50_p00-11_p00-52_piece_0)
    (takes countertop_p02-44_p00-90_p01-01 bread_p02-50_p00-11_p00-52_piece_0)
    (takes drawer_m01-00_p00-69_m02-19 bread_p02-50_p00-11_p00-52_piece_0)
    (takes drawer_p02-44_p00-52_p01-01 bread_p02-50_p00-11_p00-52_piece_0)
    (takes countertop_p00-52_p00-90_m02-19 bread_p02-50_p00-11_p00-52_piece_0)
    (takes diningtable_m01-42_p00-00_p00-21 bread_p02-50_p00-11_p00-52_piece_0)
    (takes shelf_p01-20_p01-10_p02-38 bread_p02-50_p00-11_p00-52_piece_0)
    (takes shelf_p01-20_p01-45_p02-38 bread_p02-50_p00-11_p00-52_piece_0)
    (item-class bread_p02-50_p00-11_p00-52_piece_1 class_breadsliced)
    (takes garbagecan_p00-20_p00-00_p02-30 bread_p02-50_p00-11_p00-52_piece_1)
    (takes microwave_p02-52_p00-90_m01-18 bread_p02-50_p00-11_p00-52_piece_1)
    (takes cabinet_p02-47_p00-10_p00-56 bread_p02-50_p00-11_p00-52_piece_1)
    (takes countertop_p02-44_p00-90_p01-01 bread_p02-50_p00-11_p00-52_piece_1)
    (takes drawer_m01-00_p00-69_m02-19 bread_p02-50_p00-11_p00-52_piece_1)
    (takes drawer_p02-44_p00-52_p01-01 bread_p02-50_p00-11_p00-52_piece_1)
    (takes countertop_p00-52_p00-90_m02-19 bread_p02-50_p00-11_p00-52_piece_1)
    (takes diningtable_m01-42_p00-00_p00-21 bread_p02-50_p00-11_p00-52_piece_1)
    (takes shelf_p01-20_p01-10_p02-38 bread_p02-50_p00-11_p00-52_piece_1)
    (takes shelf_p01-20_p01-45_p02-38 bread_p02-50_p00-11_p00-52_piece_1)
  )
  (:goal (and
    (exists (?i - item ?p - place) (and (item-class ?i class_breadsliced) (place-class ?p class_garbagecan) (at ?i ?p) (treated ?i)))
    (not (opened cabinet_p02-47_p00-10_p00-56))
    (not (opened drawer_p02-44_p00-52_p01-01))
    (not (opened drawer_m01-00_p00-69_m02-19))
    (not (opened microwave_p02-52_p00-90_m01-18))
  ))
)
