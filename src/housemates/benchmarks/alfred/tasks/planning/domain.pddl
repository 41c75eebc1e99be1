;; ALFRED's high-level actions. One goes to a place, opens it if it can be shut, takes one thing at a time, and
;; closes what was shut before. Heating, cooling and cleaning are single actions: the thing goes in, is treated,
;; and comes out again into the hand, and the appliance is left shut. What is to be cut is cut where it lies.
(define (domain alfred)
  (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :existential-preconditions)
  (:types place item class)
  (:predicates
    (near ?p - place)                     ; the agent stands at it
    (shuts ?p - place)                    ; what it holds can be shut in
    (opened ?p - place)
    (place-class ?p - place ?c - class)
    (item-class ?i - item ?c - class)
    (takes ?p - place ?i - item)          ; there is room for it
    (heats ?p - place)
    (cools ?p - place)
    (cleans ?p - place)
    (lamp ?p - place)
    (lit ?p - place)
    (at ?i - item ?p - place)
    (on ?i - item ?base - item)           ; in a movable receptacle
    (base ?i - item)                      ; it is a movable receptacle
    (held ?i - item)
    (hand-empty)
    (knife ?i - item)
    (stays ?i - item)                     ; it is to be cut, and not moved before
    (pieces ?whole ?first ?second - item) ; what it falls into
    (treated ?i - item))                  ; heated, cooled or cleaned, as the task asks

  (:action GotoLocation
    :parameters (?from ?to - place)
    :precondition (near ?from)
    :effect (and (not (near ?from)) (near ?to)))

  (:action OpenObject
    :parameters (?p - place)
    :precondition (and (near ?p) (shuts ?p) (not (opened ?p)))
    :effect (opened ?p))

  (:action CloseObject
    :parameters (?p - place)
    :precondition (and (near ?p) (opened ?p))
    :effect (not (opened ?p)))

  (:action PickupObject
    :parameters (?i - item ?p - place)
    :precondition (and (near ?p) (at ?i ?p) (hand-empty) (not (stays ?i))
                       (or (not (shuts ?p)) (opened ?p)))
    :effect (and (not (at ?i ?p)) (held ?i) (not (hand-empty))))

  (:action PickupStackedObject
    :parameters (?i ?base - item ?p - place)
    :precondition (and (near ?p) (on ?i ?base) (at ?base ?p) (hand-empty)
                       (or (not (shuts ?p)) (opened ?p)))
    :effect (and (not (on ?i ?base)) (held ?i) (not (hand-empty))))

  (:action PutObject
    :parameters (?i - item ?p - place)
    :precondition (and (near ?p) (held ?i) (takes ?p ?i) (or (not (shuts ?p)) (opened ?p)))
    :effect (and (at ?i ?p) (not (held ?i)) (hand-empty)))

  (:action StackObject
    :parameters (?i ?base - item ?p - place)
    :precondition (and (near ?p) (held ?i) (base ?base) (at ?base ?p) (or (not (shuts ?p)) (opened ?p)))
    :effect (and (on ?i ?base) (not (held ?i)) (hand-empty)))

  (:action SliceObject
    :parameters (?whole ?first ?second ?knife - item ?p - place)
    :precondition (and (near ?p) (at ?whole ?p) (held ?knife) (knife ?knife) (pieces ?whole ?first ?second)
                       (or (not (shuts ?p)) (opened ?p)))
    :effect (and (not (at ?whole ?p)) (at ?first ?p) (at ?second ?p)))

  (:action HeatObject
    :parameters (?i - item ?p - place)
    :precondition (and (near ?p) (held ?i) (heats ?p))
    :effect (and (treated ?i) (not (opened ?p))))

  (:action CoolObject
    :parameters (?i - item ?p - place)
    :precondition (and (near ?p) (held ?i) (cools ?p))
    :effect (and (treated ?i) (not (opened ?p))))

  (:action CleanObject
    :parameters (?i - item ?p - place)
    :precondition (and (near ?p) (held ?i) (cleans ?p))
    :effect (treated ?i))

  (:action ToggleObject
    :parameters (?p - place)
    :precondition (and (near ?p) (lamp ?p) (not (lit ?p)))
    :effect (lit ?p)))
